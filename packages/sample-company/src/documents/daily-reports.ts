import { dateInJapanese, workingDays } from "../calendar.ts";
import { at, between, pick, pickSome } from "../chance.ts";
import { customers } from "../facts/customers.ts";
import { orders } from "../facts/orders.ts";
import { makers, productsOf } from "../facts/suppliers.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

const impressions = [
  "値上げの説明に納得いただけた。来月から新価格で。",
  "競合の見積もりが届いているとのこと。今週中に返答が必要。",
  "展示会での反応が良く、追加注文の見込みが高い。",
  "破損品の件でお詫び。交換品を航空便で手配した。",
  "支払い条件を六十日に延ばしたいとの要望。財務のサミュエルさんに相談する。",
  "クリスマス前の納期を心配されていた。船便は十月十日が締め切り。",
  "担当者が交代。後任の方へ改めて挨拶に伺う。",
  "試飲会を希望。夜八時開始で調整中。",
];

const troubles = [
  "特になし。",
  "通関書類の原産地欄に誤り。訂正済み。",
  "倉庫のラベル印字が不鮮明との連絡あり。",
  "為替レートが古いままだったため見積もりを出し直した。",
];

/** 日報: what Aiko did, a working day each. */
export function dailyReports(): SampleFile[] {
  return workingDays("2026-06-01", 64).map((date, index) => {
    const visited = pickSome(`visits of ${date}`, customers, 2);
    const maker = pick(`maker of ${date}`, makers);
    const product = pick(`product of ${date}`, productsOf(maker));
    const order = pick(`order of ${date}`, orders);
    return documentFile(`${date.slice(0, 7)}/${date}.${at(["txt", "md", "txt", "txt"], index)}`, {
      title: `日報　${dateInJapanese(date)}　森 愛子`,
      paragraphs: [
        ...visited.map(
          ({ name, contact, city }) =>
            `【商談】${name}（${city}、${contact}様）。${pick(`impression ${date} ${name}`, impressions)}`,
        ),
        `【仕入】${maker.name}の${maker.contact}様と電話。${product.japanese}を${between(`amount ${date}`, 2, 20) * 10}点、納期${maker.leadTimeDays}日で打診。`,
        `【受注】${order.number}の出荷状況を確認。`,
        `【問題】${pick(`trouble of ${date}`, troubles)}`,
        "【明日】見積書の作成、高橋さんと価格表の確認。",
      ],
    });
  });
}
