/** Words by which people ask for something, in the languages that are common here. */

/** "Remember this." */
export const keeping =
  /(?<!\p{L})(?:remember|keep|note|save|store|write (?:it|this|that|them|these|all) down|memori[sz]e|merk\p{L}*|notier\p{L}*|speicher\p{L}*|behalte?|retiens|retenez|note[rz]?|souviens|recuerda\p{L}*|guarda\p{L}*|anota\p{L}*|lembr\p{L}*|ricorda\p{L}*|segna\p{L}*|zapamiętaj|zapisz|запомни\p{L}*|запиши\p{L}*)(?!\p{L})|覚え|記住|记住|記得|기억/iu

/** "Forget that." */
export const forgetting =
  /(?<!\p{L})(?:forget|delete|erase|remove|vergiss|vergesst|lösch\p{L}*|oublie\p{L}*|efface\p{L}*|olvid\p{L}*|borra\p{L}*|esque\p{L}*|apaga\p{L}*|dimentica\p{L}*|cancella\p{L}*|zapomnij|usuń|забудь\p{L}*|удали\p{L}*)(?!\p{L})|忘れ|忘记|忘記|잊어/iu

/** "Remind me of this." */
export const planning =
  /(?<!\p{L})(?:remind\p{L}*|plan|schedule|calendar|appointment|alarm|wake|erinner\p{L}*|plane?|termin|kalender|weck\p{L}*|rappel\p{L}*|planifi\p{L}*|agenda|recu[eé]rda\p{L}*|recordar\p{L}*|lembr\p{L}*|ricorda\p{L}*|przypomnij|zaplanuj|напомни\p{L}*|запланируй\p{L}*)(?!\p{L})|リマインド|予定|提醒|日程|알려|일정/iu
