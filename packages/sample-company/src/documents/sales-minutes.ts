import { dateAfter, dateInJapanese } from "../calendar.ts";
import { at, pick, pickSome } from "../chance.ts";
import { customers } from "../facts/customers.ts";
import { products } from "../facts/products.ts";
import { documentFile, type SampleFile } from "../sample-file.ts";

const decisions = [
  "冬の値上げは平均四パーセント、十一月一日から適用する。",
  "抹茶の最低在庫を四百缶に引き上げる。",
  "パリの展示会には高橋と森の二名で参加する。",
  "返品の写真は注文番号を付けて共有フォルダに保存する。",
  "新規のカフェには初回十二客の器を原価で提供する。",
  "船便の締め切りを毎月十日に統一する。",
  "与信限度額を超えた顧客への出荷は財務の承認を必要とする。",
  "有機認証の更新は対馬紅茶組合が三月末までに行う。",
];

/** 議事録 of the monthly meeting. */
export function salesMinutes(): SampleFile[] {
  return Array.from({ length: 14 }, (_, index) => {
    const date = dateAfter("2025-08-04", index * 30);
    const [first, second] = pickSome(`customers of ${date}`, customers, 2);
    return documentFile(`${date}.${at(["docx", "odt", "md"], index)}`, {
      title: `営業会議 議事録　${dateInJapanese(date)}`,
      paragraphs: [
        "出席：高橋 凛、森 愛子、ミナ・オカフォー",
        `一、${first?.name}と${second?.name}の進捗について報告があった。`,
        `二、重点商品は${pick(`focus of ${date}`, products).japanese}とする。`,
        ...pickSome(`decisions of ${date}`, decisions, 2).map((decision) => `決定：${decision}`),
        `次回は${dateInJapanese(dateAfter(date, 30))}、十四時から。`,
      ],
    });
  });
}
