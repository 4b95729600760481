"""The words of kinds of things, and words that say the same: everyday English, as a table.

Chosen by hand for what people ask their notes and chats by: family, home, food, health, work, travel, feelings,
devices, tools of programmers. Left out are words that mean something else more often ("suit", "policy", "bear",
"passed"), and names of kinds that ask for nearly everything ("thing", "work", "name").
"""

from typing import Final

KINDS: Final = """
animal pet: dog puppy cat kitten rabbit bunny hamster gerbil parrot budgie canary parakeet cockatiel goldfish turtle
tortoise lizard gecko iguana ferret horse pony labrador retriever poodle beagle dachshund terrier spaniel husky corgi
chihuahua bulldog collie rottweiler;
dog: puppy labrador poodle beagle dachshund terrier spaniel husky corgi chihuahua bulldog collie rottweiler;
cat: kitten tabby tomcat calico;
animal: bird deer fox wolf lion tiger elephant giraffe monkey zebra whale dolphin shark owl eagle frog rat cow
sheep goat pig chicken duck goose squirrel hedgehog kangaroo koala penguin snake donkey swan crow pigeon seal otter
badger beaver moose bison camel hippo rhino crocodile alligator leopard panda gorilla;
bird: owl eagle hawk falcon crow raven pigeon dove swan duck goose sparrow robin seagull parrot penguin ostrich
flamingo woodpecker canary budgie chicken;
insect: bee wasp ant butterfly moth beetle mosquito spider ladybug dragonfly grasshopper cockroach;
fish seafood: salmon tuna cod trout herring shrimp prawn lobster crab oyster mussel squid sushi;
instrument: guitar piano violin cello flute clarinet saxophone trumpet drum harp ukulele banjo trombone oboe accordion
harmonica mandolin viola synthesizer bassoon xylophone;
sport exercise: football soccer basketball tennis baseball volleyball hockey rugby golf swimming running jogging
cycling climbing skiing snowboarding surfing boxing judo karate taekwondo yoga pilates gymnastics badminton cricket
rowing sailing skating wrestling marathon triathlon bouldering squash softball handball archery fencing;
sport hobby activity: hiking biking kayaking fishing dancing swimming running cycling climbing skiing surfing yoga
tennis;
exercise: workout gym treadmill squats cardio weightlifting hiking;
hobby activity pastime: painting drawing sketching pottery knitting crochet gardening photography cooking baking
reading camping singing chess gaming woodworking sewing birdwatching puzzle journaling origami calligraphy embroidery
quilting carpentry astronomy;
game: chess checkers poker monopoly scrabble catan minecraft fortnite tetris sudoku puzzle crossword bingo nintendo
playstation xbox zelda;
console: xbox nintendo playstation;
drink beverage: coffee tea water juice beer wine milk soda lemonade smoothie cocktail whisky whiskey vodka gin rum
espresso latte cappuccino champagne cola milkshake kombucha;
alcohol: beer wine whisky whiskey vodka gin rum cocktail champagne tequila brandy cider;
food dish meal: pizza pasta spaghetti sushi burger soup salad rice bread chicken curry steak noodle taco burrito
lasagna sandwich dumpling ramen risotto stew fish seafood cheese omelette pancake cake cookie pie chocolate sausage
toast cereal porridge waffle kebab paella;
breakfast: cereal porridge oatmeal toast pancake waffle omelette croissant granola;
dessert sweets: cake cookie pie chocolate brownie pudding cupcake tart muffin candy donut cheesecake sorbet gelato
tiramisu;
fruit: apple banana orange pear grape strawberry blueberry raspberry blackberry mango pineapple peach plum cherry
lemon lime melon watermelon kiwi apricot avocado;
vegetable: carrot potato tomato onion cucumber broccoli spinach cabbage lettuce zucchini pumpkin pea bean cauliflower
celery eggplant asparagus kale leek radish garlic;
meat: beef pork chicken lamb bacon ham sausage steak veal venison;
spice herb: pepper cinnamon basil oregano thyme rosemary parsley cumin paprika turmeric ginger coriander saffron
nutmeg;
nut: peanut almond walnut cashew hazelnut pecan pistachio;
allergy allergen: peanut gluten lactose shellfish pollen penicillin latex dairy;
diet: vegan vegetarian keto pescatarian paleo;
color colour: red blue green yellow orange purple violet pink brown black white grey gray turquoise beige navy crimson
teal maroon;
shape: circle square triangle rectangle oval sphere;
material: wood metal plastic glass steel cotton wool leather silk stone concrete rubber aluminium aluminum;
vehicle car: toyota ford honda bmw audi volkswagen vw tesla mercedes volvo prius nissan hyundai kia skoda renault
peugeot fiat subaru mazda chevrolet jeep porsche ferrari sedan suv convertible hatchback corolla camry;
bike bicycle: cycling;
transport transportation: bus train tram subway metro ferry taxi bike bicycle plane flight;
boat: canoe kayak sailboat yacht ferry;
family relative: mother father mom mum dad sister brother son daughter wife husband aunt uncle cousin grandmother
grandfather grandma grandpa niece nephew parent sibling grandson granddaughter;
parent: mother father mom mum dad mommy daddy;
grandchild grandchildren grandkid: grandson granddaughter;
grandparent: grandmother grandfather grandma grandpa granny;
sibling: brother sister twin;
child kid: son daughter baby toddler;
spouse partner: wife husband girlfriend boyfriend fiance fiancee;
relationship marital: single married divorced engaged dating breakup girlfriend boyfriend husband wife partner
widowed;
wedding marriage: married bride groom honeymoon;
friend: buddy bestie pal;
neighbor neighbour: neighborhood neighbourhood;
job occupation profession career: teacher nurse doctor engineer lawyer developer designer manager accountant chef
waiter waitress driver mechanic plumber electrician counselor therapist photographer journalist writer actor actress
artist scientist programmer consultant analyst architect salesman barista internship freelance carpenter firefighter
librarian pharmacist dentist veterinarian pilot farmer baker hairdresser translator;
boss: manager supervisor;
colleague coworker: teammate coworker colleague;
employer company: employed hired;
doctor physician: physician cardiologist dermatologist pediatrician neurologist gynecologist psychiatrist surgeon gp;
country: america canada mexico brazil argentina chile peru england britain france germany spain italy sweden norway
japan china korea india australia ireland scotland portugal greece poland russia switzerland austria denmark finland
iceland netherlands belgium thailand vietnam egypt kenya morocco croatia hungary czechia ukraine israel singapore
indonesia colombia cuba usa;
nationality: american canadian mexican brazilian english british french german spanish italian swedish norwegian
japanese chinese korean indian australian irish scottish portuguese greek polish russian turkish swiss austrian danish
finnish dutch belgian;
city: london paris berlin madrid rome tokyo chicago boston seattle toronto sydney melbourne amsterdam vienna stockholm
oslo lisbon barcelona munich hamburg dublin edinburgh miami copenhagen helsinki zurich geneva brussels prague budapest
warsaw athens istanbul moscow kyoto osaka seoul beijing shanghai mumbai delhi bangkok cairo nairobi vancouver montreal
houston dallas denver atlanta portland philadelphia milan venice naples lyon marseille cologne frankfurt;
continent: africa asia europe antarctica;
place location: beach mountain lake park museum forest city town village river ocean desert island;
nature outdoors: hiking camping forest mountain lake beach waterfall river trail ocean;
book: novel author biography memoir thriller paperback;
movie film: cinema documentary thriller comedy netflix;
genre: fantasy mystery thriller comedy horror drama romance fiction jazz pop classical techno punk reggae blues metal
folk;
music: song album concert jazz rock pop classical band melody orchestra opera symphony;
musician composer: beethoven bach mozart vivaldi chopin singer guitarist pianist drummer;
art: painting drawing sculpture pottery sketch mural portrait gallery;
clothes clothing: shirt dress shoe jacket coat jeans trousers pants skirt sweater hat scarf sock boot glove hoodie
blouse pajamas;
shoe footwear: sneaker boot sandal heel slipper;
jewelry jewellery: necklace bracelet earring pendant brooch;
furniture: table chair sofa couch bed desk shelf bookcase wardrobe dresser cupboard armchair;
appliance: fridge refrigerator oven dishwasher microwave toaster washer dryer freezer vacuum kettle blender;
illness disease: diabetes asthma cancer flu covid migraine hypertension arthritis depression fever infection pneumonia
gastritis eczema epilepsy anemia bronchitis measles malaria tuberculosis;
symptom: fever cough headache nausea fatigue dizziness rash vomiting;
injury injured: sprained fracture bruise wound concussion hurt twisted;
medication medicine drug: ibuprofen aspirin paracetamol insulin metformin statin antibiotic ramipril lisinopril
atorvastatin pill amoxicillin penicillin omeprazole antidepressant warfarin acetaminophen;
vaccine: flu covid measles tetanus hepatitis;
body: arm leg foot knee ankle shoulder elbow wrist neck stomach finger toe hip chest;
university college education degree: degree bachelor master phd doctorate graduated graduate undergraduate diploma
campus;
subject: math mathematics physics chemistry biology history geography economics psychology;
school: teacher classroom homework pupil student;
study: studying major exam course degree;
language: english german french spanish italian portuguese russian chinese japanese korean arabic dutch swedish
norwegian danish finnish polish turkish greek hebrew mandarin cantonese hindi latin;
religion religious faith: christian church muslim islam mosque jewish judaism synagogue buddhist buddhism hindu
hinduism catholic protestant god prayer bible quran atheist;
politics political: liberal conservative democrat republican election government senator parliament;
gender: woman man female male transgender trans nonbinary;
orientation: gay lesbian bisexual straight queer;
holiday vacation trip: beach hotel resort cruise roadtrip backpacking itinerary;
travel: flight trip airport hotel passport visit visited abroad backpacking roadtrip cruise;
holiday celebration: christmas easter thanksgiving halloween hanukkah ramadan birthday anniversary diwali;
event: concert festival parade conference workshop party wedding exhibition meeting ceremony fundraiser;
season: spring summer autumn winter;
weather: rain snow sunny storm windy cloudy fog thunderstorm hurricane;
month: january february april june july august september october november december;
weekday day: monday tuesday wednesday thursday friday saturday sunday;
tree: oak pine maple birch willow palm cedar spruce chestnut;
plant: flower tree cactus succulent fern orchid basil tomato herb rose tulip sunflower monstera ivy lavender;
flower: rose tulip sunflower daisy lily orchid poppy daffodil lavender carnation;
device gadget: phone smartphone iphone laptop macbook tablet ipad smartwatch kindle camera headphones router printer;
computer laptop: macbook thinkpad chromebook desktop imac;
phone smartphone: iphone samsung;
database: postgres postgresql mysql sqlite mongodb redis mariadb oracle dynamodb clickhouse duckdb bigquery
;
programming: python java javascript typescript golang ruby php kotlin scala perl haskell elixir;
framework: django flask fastapi react vue angular svelte rails laravel nextjs;
cloud provider hosting: aws azure gcp heroku hetzner digitalocean cloudflare vercel;
editor ide: vim neovim emacs vscode pycharm intellij;
browser: firefox chrome;
os distro: windows linux macos ubuntu debian fedora;
shell: bash zsh powershell;
broker: kafka rabbitmq sqs celery nats;
currency: euro dollar pound yen franc krona peso rupee bitcoin;
feeling emotion mood feel: happy sad angry excited nervous anxious proud grateful thankful scared tired stressed
relieved overwhelmed thrilled disappointed lonely frustrated upset worried joy;
afraid fear phobia: scared terrified phobia;
personality trait: caring thoughtful funny shy outgoing confident creative passionate generous patient honest
stubborn;
volunteer charity: volunteering shelter donation donate fundraiser nonprofit;
money financial finance: salary savings debt loan mortgage rent budget bill invest income;
insurance: deductible;
bank: barclays hsbc revolut santander citibank;
house home: apartment flat condo bungalow cottage;
room: kitchen bedroom bathroom basement attic garage office;
store shop: supermarket bakery bookstore grocery boutique pharmacy;
business: startup shop store entrepreneur;
restaurant: cafe diner pizzeria bistro;
building landmark: tower museum castle cathedral church bridge palace;
award prize: medal trophy;
competition contest tournament: championship tournament finals;
team club: league coach;
dance dancing: ballet salsa tango ballroom waltz choreography;
toy: doll lego teddy puzzle;
baby: newborn infant pregnant;
death died: funeral grief;
age: birthday born;
die: funeral;
accident: collision;
crime: stolen robbery burglary theft;
meeting: standup appointment;
health: checkup diagnosis surgery hospital clinic symptom diet;
writing: screenplay novel poem poetry essay story blog memoir;
stress: overwhelmed anxious burnout;
relax destress: meditation meditate calming unwind massage;
vegetarian vegan: tofu tempeh;
"""
"""Names of a kind, a colon, and words for what is of that kind; a semicolon ends each."""

SAME: Final = """
mother mom mum mommy mama; father dad daddy papa; grandmother grandma granny; grandfather grandpa grandad; child kid;
photo picture photograph; gift present; car automobile; bike bicycle; movie film; holiday vacation; job occupation
profession; boss manager supervisor; colleague coworker; doctor physician; ill sick; illness disease; medicine
medication; shop store; scared afraid; tired exhausted; repair fix; salary wage paycheck; apartment flat; couch sofa;
fridge refrigerator; phone telephone cellphone; flight airplane plane; luggage baggage suitcase; customer client;
lawyer attorney; trash garbage rubbish; bathroom restroom toilet; sneakers trainers; pants trousers; soccer football;
autumn fall; supper dinner; pupil student; concert gig; spouse husband wife; buy purchase; pic photo picture
photograph; fam family; biz business; gf girlfriend; bf boyfriend; hubby husband; sis sister; bro brother; pup pooch
doggy dog; kitty cat; fave favorite favourite; tourney tournament; bday birthday; veggie vegetable; meds medication
medicine; vid video; uni university; prof professor
"""
"""Words that say the same, in sets; a semicolon parts them."""
