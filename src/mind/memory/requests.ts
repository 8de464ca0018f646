/** Patterns for requests, in the languages most users write. */

/** Requests to remember: "Remember this." */
export const keepRequest =
  /(?<!\p{L})(?:remember|keep|note|save|store|write (?:it|this|that|them|these|all) down|memori[sz]e|merk\p{L}*|notier\p{L}*|speicher\p{L}*|behalte?|retiens|retenez|note[rz]?|souviens|recuerda\p{L}*|guarda\p{L}*|anota\p{L}*|lembr\p{L}*|ricorda\p{L}*|segna\p{L}*|zapamiętaj|zapisz|запомни\p{L}*|запиши\p{L}*)(?!\p{L})|覚え|記住|记住|記得|기억/iu

/** Requests to forget: "Forget that." */
export const forgetRequest =
  /(?<!\p{L})(?:forget|delete|erase|remove|vergiss|vergesst|lösch\p{L}*|oublie\p{L}*|efface\p{L}*|olvid\p{L}*|borra\p{L}*|esque\p{L}*|apaga\p{L}*|dimentica\p{L}*|cancella\p{L}*|zapomnij|usuń|забудь\p{L}*|удали\p{L}*)(?!\p{L})|忘れ|忘记|忘記|잊어/iu

/** Requests to plan: "Remind me of this." */
export const planRequest =
  /(?<!\p{L})(?:remind\p{L}*|plan|schedule|calendar|appointment|alarm|wake|erinner\p{L}*|plane?|termin|kalender|weck\p{L}*|rappel\p{L}*|planifi\p{L}*|agenda|recu[eé]rda\p{L}*|recordar\p{L}*|lembr\p{L}*|ricorda\p{L}*|przypomnij|zaplanuj|напомни\p{L}*|запланируй\p{L}*)(?!\p{L})|リマインド|予定|提醒|日程|알려|일정/iu

/** The subset of `planning` that only a request contains. Talk about calendars or plans does not match. */
export const remindRequest =
  /(?<!\p{L})(?:remind\p{L}*|schedule|alarm|wake me|erinner\p{L}*|weck\p{L}*|rappel\p{L}*|planifi\p{L}*|recu[eé]rda\p{L}*|recordar\p{L}*|lembr\p{L}*|ricorda\p{L}*|przypomnij|zaplanuj|напомни\p{L}*|запланируй\p{L}*)(?!\p{L})|リマインド|提醒|알려/iu

/** Requests to cancel or move: "Cancel it", "move it". */
export const cancelRequest =
  /(?<!\p{L})(?:cancel\p{L}*|delete|remove|drop|skip|scrap|stop\p{L}*|call\p{L}* (?:.{0,40} )?off|mov(?:e[ds]?|ing)|postpon\p{L}*|reschedul\p{L}*|forget|no longer|no more|not any ?more|(?:don['’]?t|not|no) need\p{L}*|absag\p{L}*|hör\p{L}* .{0,40}auf|aufhören|nicht mehr|kein\p{L}* .{0,40}mehr|brauch\p{L}* .{0,40}(?:nicht|kein\p{L}*)|abgesagt|sag\p{L}* .{0,60} ab|stornier\p{L}*|streich\p{L}*|lösch\p{L}*|verschieb\p{L}*|verleg\p{L}*|annul\p{L}*|supprim\p{L}*|déplac\p{L}*|report\p{L}*|arrêt\p{L}*|plus besoin|pas besoin|cancela\p{L}*|anula\p{L}*|borra\p{L}*|aplaz\p{L}*|muev\p{L}*|desmarc\p{L}*|deja\p{L}* de|para de|ya no|no (?:lo |la )?necesit\p{L}*|adia\p{L}*|deixa\p{L}* de|pare|já não|não precis\p{L}*|annulla\p{L}*|cancella\p{L}*|sposta\p{L}*|smett\p{L}*|non serve più|non .{0,40}bisogno|afzeg\p{L}*|verplaats\p{L}*|niet meer|niet nodig|hoef\p{L}* .{0,40}niet|odwoła\p{L}*|anuluj|przełóż|przestań|już nie|nie potrzeb\p{L}*|отмен\p{L}*|перенес\p{L}*|удали\p{L}*|хватит|перестан\p{L}*|больше не|не нужн\p{L}*|скасу\p{L}*|більше не|не треба)(?!\p{L})|取消|删|刪|不用|不要|不再|停止|キャンセル|やめ|いらない|延期|変更|취소|연기|그만|필요 ?없/iu

/** References to everything: "all of it", "everything". */
export const allOfIt =
  /(?<!\p{L})(?:everything|all|alles|tout|todo|tudo|tutto|всё|все)(?!\p{L})|全部|すべて|모두|모든/iu
