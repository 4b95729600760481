"""The words of kinds of things in German, French and Spanish, as a table.

They are looked for in every text, whatever its language. So words of English are left out ("rock", "lecture").
"""

from typing import Final

OTHER_KINDS: Final = """
haustier: hund hunde hündin welpe welpen katze katzen kater kätzchen kaninchen hamster meerschweinchen papagei
wellensittich goldfisch schildkröte pferd pferde pony;
tiere: vogel vögel fuchs wolf bär löwe elefant affe kuh kühe schaf schafe ziege schwein huhn hühner ente igel
eichhörnchen;
instrument: gitarre klavier geige cello querflöte blockflöte klarinette saxophon trompete schlagzeug harfe orgel
bratsche posaune akkordeon;
sport hobby: fußball handball volleyball schwimmen laufen joggen radfahren klettern skifahren turnen reiten rudern
segeln wandern tennis yoga;
hobby: malen zeichnen töpfern stricken häkeln gärtnern fotografieren kochen backen lesen singen tanzen angeln nähen
schach;
getränk: kaffee tee wasser saft bier wein milch limonade schnaps sekt kakao;
essen gericht speise: nudeln spaghetti pizza suppe salat reis brot schnitzel braten kartoffeln eintopf pfannkuchen
fisch;
obst frucht: apfel äpfel banane bananen birne birnen traube trauben erdbeere erdbeeren himbeere himbeeren kirsche
kirschen pflaume zitrone;
gemüse: karotte karotten möhre möhren kartoffel kartoffeln tomate tomaten zwiebel zwiebeln gurke gurken spinat kohl
brokkoli erbsen bohnen;
farbe: blau grün gelb violett lila rosa braun schwarz weiß grau;
auto fahrzeug: volkswagen vw audi bmw mercedes opel skoda toyota ford kombi;
fahrzeug: auto lastwagen motorrad roller fahrrad zug straßenbahn bus;
familie verwandte verwandter: mutter vater mama papa schwester bruder sohn tochter ehefrau ehemann tante onkel cousin
cousine großmutter großvater oma opa nichte neffe;
eltern: mutter vater mama papa;
großeltern: großmutter großvater oma opa;
geschwister: schwester bruder schwestern brüder;
kinder: sohn tochter söhne töchter;
beruf job: lehrer lehrerin ärztin arzt ingenieur ingenieurin anwalt anwältin koch köchin kellner mechaniker elektriker
journalist schauspieler krankenpfleger krankenschwester bäcker tischler verkäufer verkäuferin architekt architektin;
arzt: hausarzt kardiologe hautarzt kinderarzt augenarzt orthopäde;
stadt: berlin hamburg münchen köln frankfurt stuttgart wien zürich paris london rom madrid lissabon prag;
krankheit: diabetes asthma krebs grippe migräne bluthochdruck lungenentzündung erkältung;
medikament: ibuprofen aspirin paracetamol insulin antibiotikum tablette tabletten salbe;
kleidung: hemd kleid jacke mantel hosen pullover mütze schal socken stiefel schuhe;
möbel: tisch stuhl sofa bett schrank regal kommode sessel;
sprache: englisch deutsch französisch spanisch italienisch portugiesisch russisch chinesisch japanisch türkisch
polnisch;
jahreszeit: frühling sommer herbst winter;
monat: januar februar märz april juni juli august september oktober november dezember;
wochentag: montag dienstag mittwoch donnerstag freitag samstag sonntag;
gefühl stimmung: glücklich traurig wütend ängstlich müde gestresst stolz dankbar aufgeregt enttäuscht;
feiertag: weihnachten ostern pfingsten silvester;
wohnung: apartment mietwohnung;
zimmer raum: küche schlafzimmer badezimmer wohnzimmer keller;
geschenk: geschenkt;
animal: chien chiens chienne chiot chatte chaton lapin lapins perroquet tortue cheval chevaux oiseau oiseaux renard
loup vache mouton chèvre cochon poule canard;
instrument: guitare violon violoncelle flûte clarinette trompette batterie harpe accordéon;
sport: natation course vélo escalade équitation voile randonnée tennis basket football;
loisir passion: peinture dessin poterie tricot jardinage photographie danse pêche couture;
boisson: café thé eau jus bière vin lait limonade;
repas: pâtes pizza soupe riz poulet poisson fromage gratin quiche crêpe crêpes;
dessert: gâteau tarte crêpe;
légume: carotte carottes tomate tomates oignon oignons courgette épinards chou haricots poireau;
couleur: rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise marron;
voiture véhicule: renault peugeot citroën toyota volkswagen;
famille: mère père maman soeur sœur frère fils fille épouse mari tante oncle cousin cousine neveu nièce;
enfant enfants: fils fille;
métier profession travail: professeur médecin infirmière infirmier ingénieur avocat avocate cuisinier serveur
mécanicien électricien journaliste boulanger architecte vendeur vendeuse;
médecin: cardiologue dermatologue pédiatre généraliste;
ville: paris lyon marseille bordeaux toulouse nantes lille bruxelles genève londres berlin rome;
maladie: diabète asthme grippe migraine hypertension;
médicament: ibuprofène aspirine paracétamol insuline antibiotique comprimé comprimés;
vêtement vêtements: chemise robe veste manteau pantalon jupe pull chapeau écharpe chaussettes bottes chaussures;
meuble: chaise canapé armoire étagère commode fauteuil;
langue: anglais allemand français espagnol italien portugais russe chinois japonais arabe;
saison: printemps automne hiver;
mois: janvier février mars avril juin juillet août septembre octobre novembre décembre;
mascota animal: perro perros perra cachorro gato gatos gata conejo loro tortuga caballo caballos pájaro vaca oveja
cabra cerdo gallina pato;
instrumento: guitarra violín violonchelo flauta clarinete trompeta batería arpa acordeón;
deporte: fútbol baloncesto natación ciclismo escalada esquí equitación senderismo tenis;
afición: pintura dibujo cerámica jardinería fotografía cocina lectura baile pesca costura;
bebida: café agua zumo cerveza vino leche limonada;
comida plato: paella tortilla sopa arroz pollo pescado queso ensalada;
fruta: manzana manzanas plátano plátanos naranja naranjas uva uvas fresa fresas cereza limón;
verdura: zanahoria zanahorias tomate tomates cebolla pepino espinacas judías;
color: rojo roja azul verde amarillo amarilla negro negra blanco blanca gris marrón;
coche vehículo: toyota renault seat volkswagen;
familia: madre padre mamá papá hermana hermano hijo hija esposa esposo marido tía tío primo abuela abuelo sobrino
sobrina;
hermanos: hermano hermana;
hijos: hijo hija;
abuelos: abuela abuelo;
trabajo profesión: profesora médico médica enfermera enfermero ingeniero ingeniera abogado abogada cocinero cocinera
camarero mecánico electricista periodista panadero arquitecto arquitecta;
médico: cardióloga cardiólogo dermatóloga dermatólogo pediatra;
país: alemania francia españa italia suecia noruega suiza austria bélgica polonia grecia japón china portugal
inglaterra méxico;
ciudad: madrid barcelona sevilla valencia londres parís berlín roma lisboa;
enfermedad: diabetes asma gripe migraña hipertensión;
medicamento: ibuprofeno aspirina paracetamol insulina antibiótico pastilla pastillas;
ropa: camisa vestido chaqueta abrigo pantalones falda jersey sombrero bufanda calcetines botas zapatos;
mueble muebles: mesa silla sofá cama armario estantería sillón;
idioma: inglés alemán francés español italiano portugués ruso chino japonés árabe;
estación: primavera verano otoño invierno;
"""
"""Names of a kind, a colon, and words for what is of that kind; a semicolon ends each."""
