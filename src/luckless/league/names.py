"""Names that people can remember: one plain word for each agent of a season."""

from luckless.league.chance import NAMING, dice_at, shuffled

_LIST = """
acorn actor album almond alpine amber anchor angle ankle anvil apple apron arbor arch arrow aspen atlas atom attic
autumn avenue badge badger bagel bakery ballad bamboo banjo banner barge barley barrel basil basin basket beacon
beaver beetle bell bench berry bishop bison blade blanket blossom boat bonfire border bottle boulder bowl bramble
brass bread breeze brick bridge bronze brook broom bubble bucket buckle buffalo bugle bumper bureau butter button
cabin cable cactus camel camera canal candle canoe canvas canyon captain caravan cargo carpet carrot cart castle
cedar cellar chalk chapel chariot cherry chess chestnut chimney cider cinder circus citrus clam clarinet clay clerk
cliff cloak clock clover cobalt coconut coffee comet compass copper coral cork cotton cougar cowbell cradle crane
crater crayon creek cricket crocus crow crown crystal cupboard curtain cushion cyclone cypress daisy dancer delta
denim desert diamond dolphin donkey dragon drum dune eagle easel echo eclipse elbow elder elk ember emerald engine
falcon fawn feather fennel fern ferry fiddle fig finch fjord flame flint flute forest fossil fountain fox frost
funnel galaxy gallery garden garlic garnet gazelle ginger glacier glove goblet goose gondola granite grape gravel
guitar gull hamlet hammer hammock harbor harp harvest hazel hedge helmet heron hickory holly honey hornet horizon
ibis iceberg igloo indigo iris iron island ivory ivy jacket jaguar jasmine jewel jigsaw juniper kayak kernel kettle
kite kiwi knight koala ladder lagoon lantern larch lark laurel lava lemon lentil leopard lilac lily lion lizard
llama lobster locket lotus lumber lynx magnet magpie mallet mango mantle maple marble marigold market marlin mast
meadow melon mermaid meteor midnight mill mint mirror mitten moat mole moon moose mortar mosaic moss moth mountain
mulberry muffin mural musket mustard napkin nectar needle nest nettle nickel nugget nutmeg oak oasis oat ocean
octave olive onion onyx opal opera orange orbit orchard orchid otter oval owl oyster paddle palace palm panda
panther papaya parade parcel parrot pasture peach peacock pear pearl pebble pelican pencil penguin pepper petal
pewter pheasant piano pigeon pillar pillow pilot pine pistachio planet plank plaza plum pocket pollen pond pony
poplar poppy portrait prairie prism puffin pulley pumpkin puzzle pyramid quail quarry quartz quill quilt rabbit
radar radish raft rain raisin ranch raven reed reef ribbon river robin rocket rosemary rover ruby rudder saddle
saffron sail salmon sandal sapphire satchel saturn scarf schooner scooter seal seeker shadow shark shelf sherry
shovel shuttle sickle signal silk silver siren skylark sleigh smoke snail snow socket sonata spade sparrow spice
spider spinach spiral sponge spruce squid squirrel stable stadium statue steam stone stork storm straw stream sugar
suitcase summit sundial swallow swan sycamore syrup tablet talon tambourine tango tapestry teapot temple tent
thimble thistle thorn thunder ticket tiger timber toffee tomato topaz torch tortoise totem tower tractor trellis
trident trombone trout trumpet tulip tundra tunnel turbine turnip turtle tweed umbrella union urchin valley vanilla
vault velvet vessel village vine violet violin viper volcano voyage waffle wagon walnut walrus waltz warbler water
wave weasel whale wheat wheel whistle willow window winter wisdom wolf wombat wren yacht yarn yew zebra zephyr
"""
WORDS = tuple(_LIST.split())


def names_of(season_seed: int, count: int) -> list[str]:
    """So many different names; after the last word they begin again with a number (`acorn2`)."""
    order = shuffled(list(range(len(WORDS))), dice_at(season_seed, NAMING))
    rounds = [divmod(number, len(WORDS)) for number in range(count)]
    return [WORDS[order[place]] + (str(turn + 1) if turn else "") for turn, place in rounds]
