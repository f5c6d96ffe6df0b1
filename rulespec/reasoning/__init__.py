"""What can be known about a checked rulesheet before a card is dealt; the checks ask here."""
