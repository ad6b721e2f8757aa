import { dateAfter } from "../calendar.ts";
import { between, pick } from "../chance.ts";

export interface Customer {
  name: string;
  city: string;
  country: string;
  kind: string;
  contact: string;
  status: string;
  since: string;
  creditLimit: number;
  wantsNewsletter: boolean;
}

const rows = `Teehaus Lindenhof|Berlin|Germany|tea shop|Anja Krüger
Kontor Elbe|Hamburg|Germany|tea shop|Malte Petersen
Porzellanhaus Weiss|Munich|Germany|tableware|Sabine Weiss
Stoffwerk Köln|Cologne|Germany|textiles|Jonas Adler
Japanladen Mitte|Berlin|Germany|concept store|Yuki Brandt
Café Momiji|Leipzig|Germany|café|Lena Vogt
Maison Sencha|Paris|France|tea shop|Claire Moreau
Galerie du Thé|Lyon|France|tea shop|Hugo Lambert
L'Atelier Céramique|Bordeaux|France|tableware|Inès Garnier
Bazar Nippon|Marseille|France|concept store|Karim Benali
Fil et Lin|Lille|France|textiles|Manon Leroy
Salon Aoyama|Nice|France|café|Théo Roux
Casa Matcha|Barcelona|Spain|café|Núria Puig
Té y Barro|Madrid|Spain|tea shop|Diego Serrano
Taller Azul|Valencia|Spain|tableware|Lucía Ferrer
Mercado Kyoto|Seville|Spain|concept store|Pablo Romero
Hilo Norte|Bilbao|Spain|textiles|Ane Etxeberria
Casa do Chá|Lisbon|Portugal|tea shop|Marta Nunes
Porto Ceramica|Porto|Portugal|tableware|Rui Carvalho
Sala da Tè|Milan|Italy|tea shop|Giulia Conti
Bottega Sakura|Rome|Italy|concept store|Marco De Luca
Ceramiche Arno|Florence|Italy|tableware|Elena Rossi
Tessuti Laguna|Venice|Italy|textiles|Paolo Zen
Caffè Torii|Turin|Italy|café|Sara Bianchi
Theehuis de Gracht|Amsterdam|Netherlands|tea shop|Femke de Vries
Studio Klei|Utrecht|Netherlands|tableware|Bram Jansen
Nordsee Import|Rotterdam|Netherlands|wholesale|Pieter Bakker
Maison Indigo|Brussels|Belgium|textiles|Élise Dubois
De Theepot|Antwerp|Belgium|tea shop|Wout Peeters
Tehuset Nyhavn|Copenhagen|Denmark|tea shop|Freja Holm
Keramik Aarhus|Aarhus|Denmark|tableware|Mads Lund
Te & Ting|Stockholm|Sweden|concept store|Elsa Lindqvist
Göteborg Tehandel|Gothenburg|Sweden|tea shop|Oskar Berg
Fjord Living|Oslo|Norway|concept store|Ingrid Dahl
Bergen Tehus|Bergen|Norway|café|Sindre Moe
Kahvila Sora|Helsinki|Finland|café|Aino Virtanen
Wiener Teekanne|Vienna|Austria|tea shop|Katharina Huber
Salzburg Stoffe|Salzburg|Austria|textiles|Lukas Gruber
Zürcher Teekontor|Zurich|Switzerland|tea shop|Nadia Keller
Atelier Léman|Geneva|Switzerland|tableware|Luc Favre
Basler Papier & Tuch|Basel|Switzerland|textiles|Reto Meier
Leaf & Kiln|London|United Kingdom|concept store|Harriet Shaw
Castle Street Teas|Edinburgh|United Kingdom|tea shop|Ewan Murray
Bristol Potters Shop|Bristol|United Kingdom|tableware|Priya Nair
Northern Cloth|Manchester|United Kingdom|textiles|Dan Whitaker
The Quiet Cup|Dublin|Ireland|café|Aoife Byrne
Herbata Wisła|Warsaw|Poland|tea shop|Zofia Nowak
Kraków Ceramics|Kraków|Poland|tableware|Piotr Zieliński
Čajovna Vltava|Prague|Czechia|café|Tereza Dvořáková
Brno Design|Brno|Czechia|concept store|Jakub Svoboda
Duna Tea|Budapest|Hungary|tea shop|Réka Szabó
Ljubljana Dom|Ljubljana|Slovenia|concept store|Maja Kovač
Athens Leaf|Athens|Greece|café|Eleni Papadaki
Tallinn Linen|Tallinn|Estonia|textiles|Kadri Tamm
Riga Tea Room|Riga|Latvia|café|Anete Ozola
Vilnius Kiln|Vilnius|Lithuania|tableware|Tomas Petrauskas
Luxemburger Teestube|Luxembourg|Luxembourg|tea shop|Marc Schmit
Valletta Home|Valletta|Malta|concept store|Maria Borg
Reykjavík Te|Reykjavík|Iceland|café|Sigrún Jónsdóttir
Zagreb Čaj|Zagreb|Croatia|tea shop|Ivana Horvat`;

export const countries = [...new Set(rows.split("\n").map((row) => row.split("|")[2] ?? ""))];
export const customerKinds = ["tea shop", "tableware", "textiles", "concept store", "café", "wholesale"];
export const customerStatuses = ["prospect", "active", "paused", "lost"];

export const customers: readonly Customer[] = rows.split("\n").map((row) => {
  const [name = "", city = "", country = "", kind = "", contact = ""] = row.split("|");
  return {
    name,
    city,
    country,
    kind,
    contact,
    status: pick(`status of ${name}`, ["active", "active", "active", "prospect", "paused", "lost"]),
    since: dateAfter("2019-03-01", between(`since ${name}`, 0, 2_300)),
    creditLimit: between(`credit of ${name}`, 2, 40) * 500,
    wantsNewsletter: between(`news for ${name}`, 0, 2) > 0,
  };
});
