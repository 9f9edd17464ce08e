"""What is said in `bench.prompt`: an evening at the inn, what a night makes of it, and a story."""

TALK = (
    ("Hello Tansy, it smells wonderful in here. What is in the pot tonight?",
     "Barley, leeks, and a bone that the butcher and I do not speak of. Sit, there is a bowl."),
    ("I walked all the way from Brambleford today, and my boots are soaked through.",
     "Then put them by the fire, dear, before they grow mushrooms. What brings you so far?"),
    ("My brother Oskar is a baker there, but he wants to open a shop here by the green.",
     "A baker! Lord knows we need one; mine burns everything but the bread he gives away."),
    ("Do you know of a house with a good oven that might be let?",
     "The old toll clerk's cottage has one, and nobody in it but spiders since the fire."),
    ("Rolf here says he used to work that oven himself, years ago.",
     "Did he now? He never told me that. Rolf, you sly fox, what else have you baked in there?"),
    ("Only pies, and once a cake for the captain, which she did not eat.",
     "She counts her cakes like her chessmen, that one. Was there too much butter in it?"),
    ("It was plums. I did not know then that she cannot stand plums.",
     "Nobody tells a captain's stomach what to do. I shall remember it about the plums."),
    ("Could I have a room for two nights? I can pay two coppers a night.",
     "For two coppers it is yours, breakfast and ghosts included. The one above the kitchen."),
    ("I am afraid of the dark, so I would like the lantern if you can spare it.",
     "It always comes home by itself, so why should it not go out with you? It is yours tonight."),
    ("What is the story with the fire at the toll house, if I may ask?",
     "It burned three nights before the captain came, and the chest was gone when it cooled."),
    ("I heard there was a cart on the bridge that night, without any lamps.",
     "South it went, over Pip's planks, and not a word from the driver. You have good ears."),
    ("On Sunday I mean to cook my mother's goose stew for everybody who helps me move.",
     "Then I shall bring the barley, and my nephew, who carries more than he eats. Barely."),
    ("My mother used to put juniper in it, but I cannot find any in this village.",
     "There is a bush behind the smithy. Orrin waters it when he means to be working."),
    ("Is Orrin the one who owes everybody a hinge?",
     "And the bridge its irons. He comes back from the river with excuses, sometimes a fish."),
    ("Tell me a riddle before I go to bed, Tansy.",
     "What runs all day through the village, never gets tired, and never pays for its beer?"),
    ("The river! That was too easy, you must have a harder one for a miller's daughter.",
     "Hm! Then this: the more of it you take, the more you leave behind you on the road."),
)  # fmt: skip
"""What is said, and what she answers."""

SCENE = (
    ("I draw my blade and peer around the corner of the cave.",
     "Careful, there is something breathing in there, and it is not the wind."),
    ("Do you have the rope? We shall need it for the pit.",
     "Forty ells of it, and not one of them chewed by mice. Here, catch."),
    ("Rolf, you go first, you are the one who boasted of dragons.",
     "He boasted of one dragon, and it was painted on a sign. I shall go behind him."),
    ("I see gold, heaps of it, and a sword that stands in a stone.",
     "And who put that stone there, I ask you? Nobody leaves a sword for the next to come."),
)  # fmt: skip
"""The same in a story."""

NIGHT = {
    "Mira": (
        "Mira walked here from Brambleford with wet boots and took the room above the kitchen for"
        " two nights at two coppers; she has the tin lantern, because she is afraid of the dark."
        " Her brother Oskar, a baker, wants to open a shop by the green, and Tansy told her of the"
        " toll clerk's cottage with its oven. She asked about the fire at the toll house and the"
        " cart without lamps. On Sunday she means to cook her mother's goose stew for all who help"
        " her move; Tansy promised barley and her nephew Pip. She solved the riddle of the river."
    ),
    "Rolf": (
        "Rolf told that he once worked the oven in the toll clerk's cottage, and baked the captain"
        " a plum cake that she did not eat. He heard of the cart on the bridge."
    ),
}
"""What a model might put together of each one's talk."""

TRAITS = {
    "Mira": (
        "Mira comes from Brambleford.", "Mira's brother is called Oskar.", "Oskar is a baker.",
        "Oskar wants to open a shop by the green.", "Mira is afraid of the dark.",
        "Mira has the room above the kitchen for two nights.", "Mira has the tin lantern.",
        "Mira means to cook goose stew on Sunday.", "Mira's mother put juniper in her goose stew.",
        "Mira is a miller's daughter.", "Mira likes riddles.", "Mira walked here with wet boots.",
    ),
    "Rolf": (
        "Rolf once worked the oven of the toll clerk's cottage.", "Rolf baked a plum cake.",
        "Rolf boasts of dragons.", "Rolf knows that the captain cannot stand plums.",
    ),
}  # fmt: skip
"""What is known of them the next morning."""
