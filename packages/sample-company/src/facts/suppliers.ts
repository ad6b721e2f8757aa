import { between, pick } from "../chance.ts";
import { type Product, products } from "./products.ts";

export interface Supplier {
  name: string;
  english: string;
  prefecture: string;
  craft: string;
  contact: string;
  leadTimeDays: number;
  isOrganic: boolean;
  note: string;
}

export const crafts = ["製茶", "窯元", "染織", "包装"];

const rows = `宇治園製茶|Ujien Tea Works|京都府|製茶|山本 和夫
狭山緑翠園|Sayama Ryokusui|埼玉県|製茶|新井 恵
八女星野製茶|Yame Hoshino Tea|福岡県|製茶|星野 健
加賀棒茶本舗|Kaga Bocha Honpo|石川県|製茶|中田 由美
静岡川根茶園|Kawane Tea Garden|静岡県|製茶|鈴木 誠
対馬紅茶組合|Tsushima Black Tea Guild|長崎県|製茶|阿比留 徹
大豊碁石茶協同組合|Otoyo Goishicha Cooperative|高知県|製茶|小笠原 節子
知覧茶業|Chiran Tea|鹿児島県|製茶|東 隆志
伊勢茶本家|Ise Tea House|三重県|製茶|谷口 真
嬉野茶舗|Ureshino Tea|佐賀県|製茶|副島 園子
朝宮茶園|Asamiya Tea Garden|滋賀県|製茶|片木 明
大和茶問屋|Yamato Tea Merchants|奈良県|製茶|井上 光
信楽丸由窯|Shigaraki Maruyoshi Kiln|滋賀県|窯元|今井 智
有田青花窯|Arita Seika Kiln|佐賀県|窯元|松尾 礼子
波佐見白山窯|Hasami Hakusan Kiln|長崎県|窯元|福田 淳
備前陶悦|Bizen Toetsu|岡山県|窯元|金重 武
益子つかもと窯|Mashiko Tsukamoto Kiln|栃木県|窯元|塚本 央
九谷光仙窯|Kutani Kosen Kiln|石川県|窯元|利岡 光
常滑玉光陶園|Tokoname Gyokko|愛知県|窯元|梅原 広
唐津隆太窯|Karatsu Ryuta Kiln|佐賀県|窯元|中里 花
萩椿窯|Hagi Tsubaki Kiln|山口県|窯元|坂 新兵
美濃織部工房|Mino Oribe Workshop|岐阜県|窯元|加藤 芳
瀬戸本業窯|Seto Hongyo Kiln|愛知県|窯元|水野 雄
小鹿田共同窯|Onta Common Kiln|大分県|窯元|黒木 昌
今治タオル工房|Imabari Towel Works|愛媛県|染織|越智 直
有松絞り商会|Arimatsu Shibori Company|愛知県|染織|竹田 耕
堺注染工場|Sakai Chusen Dyers|大阪府|染織|中尾 弘
西陣織元細尾堂|Nishijin Hosoodo|京都府|染織|細尾 香
京風呂敷むす美堂|Kyoto Furoshiki Musubido|京都府|染織|山田 悦
久留米絣織元|Kurume Kasuri Weavers|福岡県|染織|下川 強
豊橋帆前掛|Toyohashi Sailcloth Aprons|愛知県|染織|芳賀 正
奈良麻布中川|Nara Hemp Nakagawa|奈良県|染織|中川 淳子
遠州綿紬|Enshu Cotton|静岡県|染織|大高 旭
小千谷縮工房|Ojiya Chijimi Workshop|新潟県|染織|樋口 隆
丹後ちりめん|Tango Chirimen|京都府|染織|田茂井 勇
阿波藍染所|Awa Indigo Dyers|徳島県|染織|佐藤 昭人
越前和紙包装|Echizen Paper Packaging|福井県|包装|滝 英晃
東京茶缶製作所|Tokyo Tea Tins|東京都|包装|加藤 製二
桐箱増田屋|Masudaya Paulownia Boxes|広島県|包装|増田 友
美濃紙器|Mino Paper Boxes|岐阜県|包装|古田 要`;

const notes = [
  "年に一度、十一月に価格を見直す。",
  "最小発注数は五十点。サンプルは無償。",
  "お盆と年末年始は二週間休業。",
  "支払いは検収後三十日、銀行振込。",
  "FAXのみ。返事は翌日の午前中に来る。",
  "Answers in English; prefers video calls on Thursdays.",
  "Packs by hand; add four days before Christmas.",
  "検査成績書をロットごとに添付してくれる。",
];

export const suppliers: readonly Supplier[] = rows.split("\n").map((row) => {
  const [name = "", english = "", prefecture = "", craft = "", contact = ""] = row.split("|");
  return {
    name,
    english,
    prefecture,
    craft,
    contact,
    leadTimeDays: between(`lead time of ${name}`, 10, 75),
    isOrganic: craft === "製茶" && between(`organic ${name}`, 0, 2) === 0,
    note: pick(`note on ${name}`, notes),
  };
});

const crafted = { tea: "製茶", ceramics: "窯元", textiles: "染織" } as const;

export function makersOf({ kind }: Product): Supplier[] {
  return suppliers.filter(({ craft }) => craft === crafted[kind]);
}

export function productsOf(supplier: Supplier): Product[] {
  return products.filter(({ kind }) => crafted[kind] === supplier.craft);
}

/** Those whose goods we sell; the others pack them. */
export const makers: readonly Supplier[] = suppliers.filter((supplier) => productsOf(supplier).length > 0);
