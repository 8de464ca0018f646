/**
 * Words too common to link a statement to a speaker, including words about permission and files. Stored
 * without case and diacritics.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
  the an and or but not no yes of to in on at by for from with without into about over under up down out off than then as if so too
  this that these those here there now just only also very really always never ever again still what which when where while why how who
  whose it its he she him her his they them their theirs themselves me my mine we us our you your yours am is are was were be been being do does
  did done doing have has had having will would shall should can could may might must let lets get got get made make want wants wanted like likes
  know knows think thinks tell tells told said says saying speak asked asks ask give gives given take takes please thanks thank hello okay ok well
  good some any every each all both more most much many something anything everything nothing someone anyone everyone nobody thing things
  person user human assistant persona allow allows allowed allowing permit permits permitted permission permissions grant grants granted
  forbid forbids forbidden instruct instruction instructions rule rules file files document documents text texts picture image photo attachment
  page pages read reads reading look looks looking show shows written write writes content message word words
  der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ja nein von zu zum zur im in am auf mit ohne fur uber
  unter aus bei nach vor ist sind war waren sein wird werden wurde hat haben hatte kann kannst konnen darf darfst durfen soll sollst sollen
  muss musst mussen will willst mich mir mein meine meinen dich dir dein deine deinen sich sie ihr ihre ihnen ihm ihn er es wir uns du ich man
  was wer wie wo wann warum welche dass dies diese dieser dieses hier dort jetzt auch nur noch schon sehr immer nie bitte danke alles etwas
  erlaubt erlaubnis erlauben erlaubst verboten datei dokument bild lies lesen sagt sagen steht schreibe
  les des une est sont etre avoir avec sans pour dans sur sous mais pas plus que qui quoi quand comment pourquoi vous nous elle elles ils leur
  votre notre cette ces tout tous tres bien peux peut pouvez dois doit faire fait veux veut merci permet permis permettre autorise fichier
  texte dire lire
  los las una uno unos unas del con sin para por pero como cuando donde porque quien esta este esto esos esas ellas ellos usted ustedes
  puede puedes debe debes tiene tengo quiero quiere favor gracias permite permiso permitido archivo documento leer decir todo todos
  che non per come quando dove perche questo questa quello quella sono essere avere puoi deve devi voglio grazie permesso
  nao com isso essa voce eles elas pode podes obrigado obrigada permissao arquivo ficheiro
  文件 文档 檔案 文檔 允许 允許 许可 許可 文書 書類 권한 허락 허용 파일 문서
  `
    .trim()
    .split(/\s+/),
)

const kana = Array.from({ length: 0x60 }, (_, n) => String.fromCodePoint(0x3040 + n)).join('')

/** Grammatical characters of Chinese and Japanese that carry little meaning alone. */
export const grammarOnly: ReadonlySet<string> = new Set(
  `你我他她它您们們的了吗嗎呢吧在是可以能不没沒有这這那個个什么麼请請给給把被和与與也都就要会會想说說看读讀${kana}`,
)
