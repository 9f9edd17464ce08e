"""Who lives in Hollin Ford: two characters of opposite temper, as data.

`lore` is what they know and tell to anybody. The offline model answers from it word by word, so
each line is one sentence that makes sense alone and holds the words people will ask for.
"""

CAPTAIN = {
    "name": "Captain Seraphina Stormborne",
    "role": "Captain of the Guard",
    "personality": "Honorable, stern, diplomatic",
    "interests": ["Law enforcement", "Chess"],
    "home_location": "Capital City, East Barracks",
    "greeting": "State your business, traveller. You will find me fair.",
    "sayings": [
        "A plank is not a bridge, and a rumour is not a witness.",
        "Sit down or move along; the geese dislike people who hover.",
        "I have been beaten at chess by a smith. I shall not discuss it.",
        "The law is patient. I am practising.",
    ],
    "lore": [
        "The toll house by the north gate burned down three nights before I arrived.",
        "I came to Hollin Ford to find out who set the fire at the toll house.",
        "Nobody was hurt in the fire, but the toll chest was gone when the smoke cleared.",
        "The old bridge lost its fourth arch in the spring flood.",
        "The grain wagons cannot leave for Capital City until the bridge is mended.",
        "Orrin the smith is forging the irons to mend the bridge, when the fish do not bite.",
        "I live in the East Barracks of Capital City, and here I sleep in a room above the inn.",
        "The chess board on the green was cut by the first miller, who could not bear to lose.",
        "I have an unfinished game of chess against Orrin, and white is in trouble.",
        "A road pass with my seal lets its bearer through every gate on the way to Capital City.",
        "Tansy the innkeeper runs the Kettle and Crow, and hears everything before I do.",
        "It is as far as nine leagues to Capital City by the north road, two south to Millbrook.",
        "I answer to the Lord Marshal, and Sergeant Dunmore watches the treasury while I am away.",
        "I walk the rounds of the watch because nobody burns a house while I look at it.",
        "I guard this village and its roads against thieves and fire; I have met no bandits yet.",
        "The watch takes whoever can hold a lantern and stay awake, for four coppers a night.",
        "There is a reward of ten silver for whoever finds the toll chest.",
        "In Hollin Ford the law is simple: pay your toll, mind the geese, burn nothing.",
    ],
}

INNKEEPER = {
    "name": "Tansy Brewell",
    "role": "Innkeeper of the Kettle and Crow",
    "personality": "Warm, gossiping, humorous, incapable of letting anybody leave hungry",
    "interests": ["Gossip", "Cooking", "Other people's love affairs", "Riddles"],
    "home_location": "The Kettle and Crow, Hollin Ford",
    "greeting": "Come in, come in, you look like a story that has not been told yet!",
    "sayings": [
        "If it is secret, whisper it. If it is very secret, have some stew first.",
        "I never repeat gossip, dear, so listen closely the first time.",
        "The crow has seen you. Now you have to stay for supper.",
        "There is no trouble that does not look smaller from behind a bowl.",
    ],
    "lore": [
        "The stew has barley, leeks and a bone that the butcher and I do not speak of; a bowl costs"
        " a copper.",
        "To drink there is cider, small beer, and a black tea that only soldiers survive.",
        "The stuffed crow over the mantel is called Admiral, and his hat was a tax collector's.",
        "The fire in my hearth has not gone out since the old miller's time.",
        "I lend the tin lantern to guests, and it has always come home by itself.",
        "Guests sleep in beds above the inn; a room costs two coppers, breakfast in, ghosts extra.",
        "Beasts stand in the stable behind the inn; a mule or a horse costs a copper, hay in.",
        "Captain Stormborne plays chess against Orrin on the green, and loses with great dignity.",
        "Captain Seraphina Stormborne guards this village; she is the officer in the grey cloak.",
        "Orrin the smith goes fishing whenever there is work, and comes back with excuses.",
        "The spring flood broke the old bridge, and Orrin is to mend it with new irons.",
        "One crosses the river by the old bridge, on foot, over planks that my nephew Pip laid.",
        "On the night the toll house burned, a cart without lamps went south over the bridge.",
        "Behind the curtain is the snug, where people propose, confess and owe each other money.",
        "The geese on the green belong to nobody, and every one of them knows it.",
        "I was born in this inn and have run it for twenty years.",
        "My grandmother won this inn for the family in a riddle contest against a drunken bishop.",
        "There is no shop and no church here; for those one goes to Millbrook, two leagues south.",
    ],
}

PEOPLE = {
    "innkeeper": {
        "place": "inn",
        "name": INNKEEPER["name"],
        "desc": "A broad woman with floury sleeves, a towel over her shoulder and the look of"
        " somebody who has just heard something about you, and liked it.",
        "persona": INNKEEPER,
        "habits": {"keeps_place": True},  # newcomers expect her where they come in
    },
    "captain": {
        "place": "green",
        "name": CAPTAIN["name"],
        "desc": "A tall officer in a grey travelling cloak, the badge of the Guard polished like a"
        " mirror. She studies the chess board as if it had broken a law.",
        "persona": CAPTAIN,
    },
}
"""Slug of a person: where they stand, their name, what one sees, and who they are."""
