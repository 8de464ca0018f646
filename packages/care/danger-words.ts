/**
 * Finds words that say that the writer's own life is in danger: thoughts of suicide or self-harm, an
 * overdose, an attack. Works without a model, in English and German. In doubt it finds something: help that
 * was not needed does less harm than help that is missing.
 */

export type DangerLanguage = 'en' | 'de'

/** Max UTF-16 units that are searched. The newest words are last. */
const maxTextUnits = 20_000
const maxSentenceUnits = 600
/** Longer than any expression that is searched. */
const overlapUnits = 200

/** Returns the language of the words, or null if there are none. */
export const findDanger = (text: string): DangerLanguage | null => {
  const sentences = splitSentences(withoutQuotes(toPlain(text.slice(-maxTextUnits))))
  if (sentences.some((sentence) => isEnglishDanger(sentence))) return 'en'
  return sentences.some((sentence) => isGermanDanger(sentence)) ? 'de' : null
}

const toPlain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")

const quotation = /"[^"\n]{1,400}"|[“„][^“”\n]{1,400}[“”]|«[^«»\n]{1,400}»|»[^«»\n]{1,400}«|^ {0,3}>.*$/gm

/** Others may be quoted. A message that is only a quotation counts as the writer's own words. */
const withoutQuotes = (text: string): string => {
  const ownText = text.replace(quotation, ' ')
  return /\p{L}/u.test(ownText) ? ownText : text
}

const splitSentences = (text: string): readonly string[] =>
  text.split(/[.!?…\n;]+/).flatMap((sentence) => cutSentence(sentence.replace(/\s+/g, ' ').trim()))

/** Overlapping pieces: people in distress and transcripts of speech often leave out all punctuation. */
const cutSentence = (sentence: string): readonly string[] => {
  const step = maxSentenceUnits - overlapUnits
  const count = Math.max(1, Math.ceil((sentence.length - overlapUnits) / step))
  return Array.from({ length: count }, (_, n) => sentence.slice(n * step, n * step + maxSentenceUnits))
}

/** `unless`: what the rest of the sentence must not contain. */
interface Sign {
  readonly form: RegExp
  readonly unless?: RegExp
}

/** Tests each place of the sentence that matches, with the words before and after it. */
const findSign = (
  signs: readonly Sign[],
  sentence: string,
  isHarmless: (textBefore: string, match: string, textAfter: string) => boolean,
): boolean =>
  signs.some(({ form, unless }) => {
    if (unless?.test(sentence)) return false
    for (const match of sentence.matchAll(form)) {
      const end = match.index + match[0].length
      if (!isHarmless(sentence.slice(0, match.index), match[0], sentence.slice(end))) return true
    }
    return false
  })

// English

const englishSubject = "\\b(?:i'm|im|i am|i've|i'd|i'll|i)"
const englishFiller =
  '(?: (?:just|really|only|so|honestly|sometimes|often|always|still|kind of|kinda|actually|now|simply|wanna|do|literally)){0,4}'
const englishWishes =
  "want to|wanna|wish to|need to|am going to|going to|gonna|am gonna|plan to|planning to|am planning to|am about to|about to|am ready to|ready to|decided to|have decided to|would rather|'d rather|rather|will|might|may|could|hope to|am trying to|trying to|tried to|have tried to|deserve to|should"
const englishWish = `(?: ?(?:${englishWishes}))`

const en = (source: string, unless?: RegExp): Sign => ({
  form: new RegExp(source, 'g'),
  ...(unless && { unless }),
})

const englishSigns: readonly Sign[] = [
  en(
    '\\b(?:kill|killing|unalive|unaliving|hang|hanging|shoot|shooting|drown|drowning|poison|poisoning) myself\\b',
    /\b(?:kill|killing|shoot|shooting|hang|hanging|drown|drowning) myself (?:laughing|with laughter|in the foot|in (?:work|paperwork|books|coffee|chocolate)|over (?:this|the|that|a)|at (?:work|the gym)|up\b|out to dry|for (?:forgetting|that|not|saying|missing|having))/,
  ),
  en(`${englishSubject}${englishFiller}${englishWish}${englishFiller} kms\\b`),
  en(
    '\\b(?:end|ending|take|taking) my (?:own )?life\\b',
    /\btak(?:e|ing) my life (?:back|seriously|in|into|to|for granted|one|day|as|with)\b/,
  ),
  en(
    `${englishSubject}${englishFiller}${englishWish}${englishFiller} (?:die|be dead|end it all|end everything|not exist|stop existing|disappear forever|never wake up|commit suicide|overdose)\\b`,
    /\bdie (?:of|from|laughing|with laughter|happy|old|rich|trying|at home|than|before i see|on (?:this|that) hill|in the game|a virgin)\b|rather die than\b|\bmy hair\b/,
  ),
  en(
    `${englishSubject}${englishFiller}${englishWish}${englishFiller} end it(?: (?:tonight|now|today|soon|here))?$`,
  ),
  en(`${englishSubject} wish(?:ed)? (?:that )?i (?:was|were|could be|had been) (?:dead|never born)\\b`),
  en(
    `${englishSubject} wish(?:ed)? (?:that )?i (?:could (?:just )?die|did not exist|didn't exist|had never been born|was never born|wouldn't wake up|would not wake up|could disappear forever|could never wake up)\\b`,
    /\bdie (?:of|from|laughing)\b/,
  ),
  en(
    "\\bi(?:'m| am)?(?: just| really| simply| honestly)* (?:don't|do not|dont|no longer|never) (?:want|wanna|wish)(?: to)? (?:live|be alive|exist|go on living|keep living|continue living)\\b",
    /\b(?:live|living) (?:here|there|in|with|at|near|alone|like|on|under|without)\b/,
  ),
  en(
    "\\bi(?: just| really)* (?:don't|do not|dont|no longer) (?:want|wanna)(?: to)? (?:wake up|be here|be around)(?: (?:any ?more|any longer|again|ever again|tomorrow))?$",
    /\bbe (?:here|around)$/,
  ),
  en(
    "\\bi (?:can't|cannot|cant|can not) (?:go on|keep on) (?:living|any ?more|any longer)\\b|\\bi (?:can't|cannot|cant) live (?:any ?more|any longer|like this any ?more)\\b",
  ),
  en(
    `${englishSubject}(?: have| feel| am| been|'ve been| was| get| got| getting)*(?: \\w+){0,2} suicidal\\b`,
    /\b(?:he|she|they|who|his|her|their|character|hero) (?:is|are|was|were|feels?) (?:\w+ )?suicidal\b/,
  ),
  en('\\bmy suicid(?:e|al) (?:note|plan|thoughts|ideation|attempt)\\b'),
  en(
    `${englishSubject}(?: am| have been| 've been|'ve been| been)?${englishFiller} (?:thinking (?:about|of)|think (?:about|of)|thought (?:about|of)|considering|consider|contemplating|planning|plan) (?:committing )?(?:suicide|dying|ending (?:it all|everything)|my (?:own )?death)\\b`,
  ),
  en("\\bi(?:'d| would|'m| am)(?: all)?(?: \\w+)? better off dead\\b"),
  en(
    "\\b(?:everyone|everybody|they|you|people|the world|my (?:\\w+ )?(?:family|kids|children|parents|wife|husband|friends?|mom|mum|dad|partner))(?:'d| would| will| is| are|'re|'s)?(?: all)?(?: be)? better (?:off )?without me\\b",
  ),
  en(
    '\\b(?:no|any) (?:reason|point) (?:to|in|for me to) (?:live|living|go on living|going on|go on|be alive|being alive|stay alive|staying alive|keep living)\\b',
    /\b(?:live|living) (?:in|here|there|with|near|at)\b/,
  ),
  en(
    "\\bnothing (?:left )?to live for\\b|\\bmy life (?:is not|isn't|isnt|is no longer) worth living\\b|\\blife (?:is not|isn't|isnt|is no longer) worth living\\b",
  ),
  en(
    `${englishSubject}${englishFiller}(?: (?:${englishWishes}|feel like|keep|kept|started|start|have been|am|'ve been|been|have the urge to|feel the urge to|am thinking (?:about|of)|think (?:about|of)|thinking (?:about|of)))${englishFiller} (?:cut|cutting|hurt|hurting|harm|harming|burn|burning|starve|starving) myself\\b`,
    /\b(?:shaving|cooking|playing|by accident|accidentally|at (?:football|soccer|the gym|work)|a (?:slice|piece))\b/,
  ),
  en(
    `${englishSubject}(?: am| have|'ve)?${englishFiller}(?: started| start| keep| kept| began)? self[- ]?harm(?:ing|ed)?(?: again)?\\b`,
  ),
  en(
    "\\bi(?:'m| am)(?: so| just| really)* (?:tired of (?:living|being alive|life)|done with (?:life|living))\\b|\\bi (?:don't|do not|dont) feel like (?:living|being alive)\\b",
    /\b(?:living|life) (?:in|here|there|with|near|at|as|like)\b/,
  ),
  en('\\bslit(?:ting)? my (?:wrists?|throat)\\b'),
  en(
    `${englishSubject}(?:'ve)?(?: have| just| already| am going to| going to| gonna| want to| will)* (?:took|taken|swallowed|swallow|take)(?: \\w+)? (?:all|too many|a (?:lot|handful|bunch|bottle)|the whole|a whole|an overdose)(?: of)?(?: (?:the|my|these|those|sleeping|bottle|pack|packet|of))* ?(?:pills|tablets|medication|meds|painkillers|paracetamol|an overdose|overdose)?\\b(?<=pills|tablets|medication|meds|painkillers|paracetamol|overdose)`,
  ),
  en(
    `${englishSubject}(?:'ve)?(?: have| just| want to| am going to| will)* overdosed?\\b`,
    /\boverdosed? on (?:coffee|chocolate|sugar|cake|netflix|caffeine|memes)\b/,
  ),
  en(
    `${englishSubject}${englishFiller}${englishWish}?${englishFiller} (?:jump|throw myself|step) (?:off|from|in front of) (?:a|the|this|my) (?:bridge|roof|building|train|balcony|cliff|window|bus|car)\\b`,
    /\b(?:bungee|parachute|lake|pool|sea|river swim|game)\b/,
  ),
  en(
    "\\b(?:he|she|they|someone|somebody|my (?:husband|wife|ex|boyfriend|girlfriend|father|dad|stepfather|partner))(?:'s| is| are|'re| was| has been| keeps?) (?:trying|threatening|going) to (?:kill|strangle|stab|shoot) me\\b",
    /\bif (?:i|he|she)\b|\bwhen (?:i|he|she)\b|\b(?:laughing|in chess|in the game)\b/,
  ),
  en(
    `${englishSubject}(?: think i)?(?:'m| am)? (?:bleeding (?:out|to death)|having a (?:heart attack|stroke))\\b`,
    /\b(?:almost|nearly|practically|price|bill|from laughing)\b/,
  ),
]

const englishNegation =
  /\b(?:don't|do not|dont|didn't|did not|won't|will not|wont|would never|will never|could never|never|not going to|wouldn't|would not|not|no longer|isn't|nor|neither|no (?:plans?|intention|wish|desire)(?: (?:to|of))?|far from|without)(?: (?:ever|actually|really|even|to|want|wanna|wanting|planning|going|be|being|about|try|trying|feel|feeling|of|that|anything like|remotely|at all|think|thinking)){0,4}$/
const englishDoubt =
  /\b(?:reason|why|not sure|unsure|can't stop|cannot stop|can't promise|cannot promise|unless|not only|know how not)\b/
const englishReport =
  /\b(?:he|she|they|who|friend|brother|sister|mother|father|mom|mum|dad|neighbour|neighbor|colleague|character|hero|singer|someone|somebody|people) (?:\w+ )?(?:say|says|said|told me|wrote|writes|texted|screamed|sings|sang|yelled)(?: that| to me)?[:,]? ?$/
const englishFiction =
  /\b(?:story|novel|film|movie|book|song|lyrics?|poem|episode|play|scene|essay|article|chapter|game)\b.{0,60}\b(?:(?:where|in which|who|that|about)\b[^,]{0,120}$|(?:says?|saying|called|titled|with the line)\b)|\b(?:how (?:do|would) (?:you|i|one) say|translate|what does)\b|\b(?:character|hero|heroine|protagonist|narrator)\b.{0,40}\b(?:says?|thinks?|wants?)\b/
/** A new main clause begins here, which is no longer part of the fiction. */
const englishClause = /\b(?:and|but|so|because) (?:i(?:'m| am)?(?: \w+){0,3} )?$/
const englishPast = /\b(?:used to|years ago|back then|as a (?:teen|teenager|child|kid)|when i was)\b/
const englishAgain = /\b(?:again|now|still|tonight|today|since then)\b/

/** A present wish. Words about the past in the same sentence do not make it harmless. */
const englishPresent =
  /\b(?:i|i'm|im|i am|i'll)(?: (?:just|really|only|so|honestly|sometimes|often|still|now|simply))?(?: (?:want to|wanna|need to|going to|gonna|will|plan to|am going to|am about to|about to))(?: \w+){0,4}$/

/** The deed in a match, whose negation is harmless. */
const englishDeed =
  /kill|kms|unaliv|hang|shoot|drown|poison|end|tak|cut|hurt|harm|burn|starv|slit|die|be dead|suicid/

const isEnglishDanger = (sentence: string): boolean =>
  findSign(englishSigns, sentence, (textBefore, match, textAfter) => {
    const lead = `${textBefore}${match.slice(0, Math.max(0, match.search(englishDeed)))}`.trimEnd()
    if (englishNegation.test(lead) && !englishDoubt.test(textBefore)) return true
    if (englishReport.test(textBefore)) return true
    if (englishFiction.test(textBefore) && !englishClause.test(textBefore)) return true
    if (englishPresent.test(`${textBefore}${match}`)) return false
    const fullText = `${textBefore}${match}${textAfter}`
    return englishPast.test(fullText) && !englishAgain.test(fullText)
  })

// German

const de = (source: string, unless?: RegExp): Sign => ({
  form: new RegExp(source, 'gu'),
  ...(unless && { unless }),
})
const germanFiller =
  '(?: (?:einfach|nur|noch|am liebsten|wirklich|echt|eigentlich|gerade|jetzt|so|auch|manchmal|oft|gerne?|lieber|auf der stelle|heute|bald|endlich|doch|dann|immer|wieder|sofort|selbst|hier|morgen|für immer|mich|nie wieder)){0,4}'
const germanWish =
  '(?:will|möchte|mag|wollte|würde|werde|muss|könnte|wünsche mir|hoffe|habe vor|hab vor|plane|versuche|kann)'

const germanSigns: readonly Sign[] = [
  de(
    `\\bich(?: \\p{L}+){0,6} (?:umbringen|töten|erhängen|aufhängen|erschießen|ertränken|vergiften)(?!\\p{L})`,
    /\b(?:er|sie|es|man|jemand) (?:\p{L}+ ){0,3}mich(?: \p{L}+){0,3} (?:umbringen|töten)|vor lachen/u,
  ),
  de(
    `(?:${germanWish}|bringe|bring|töte|hänge|häng|erschieße) ich mich(?: \\p{L}+){0,4} ?(?:um|umbringen|töten|auf|aufhängen|erhängen|erschießen)?(?<=um|umbringen|töten|auf|aufhängen|erhängen|erschießen|töte ich mich|erschieße ich mich)(?!\\p{L})`,
    /\bmich (?:\p{L}+ ){0,3}(?:kümmere|bemühe|sorge)|häng(?:e)? ich mich (?:\p{L}+ ){0,2}an/u,
  ),
  de(
    '\\bich (?:bringe|bring|bringt) mich(?: \\p{L}+){0,3} um(?!\\p{L})',
    /\bfür (?:diesen|den) job\b|vor lachen/u,
  ),
  de('\\bich (?:häng|hänge) mich(?: \\p{L}+){0,2} auf(?!\\p{L})|\\bich erschieße mich\\b'),
  de(
    '\\bmich (?:selbst )?(?:umzubringen|zu töten|aufzuhängen|zu erhängen|zu erschießen|zu vergiften)(?!\\p{L})',
  ),
  de(
    '\\bmir(?: \\p{L}+){0,2} das leben (?:zu )?nehmen\\b|\\bnehme? (?:ich )?mir(?: \\p{L}+){0,2} das leben\\b',
  ),
  de(
    '\\bmeinem? (?:eigenen )?leben(?: \\p{L}+){0,2} (?:ein ende )?(?:zu )?(?:setzen|machen|bereiten|beenden)\\b|\\bmein (?:eigenes )?leben (?:zu )?beenden\\b|\\b(?:setze?|mache?|beende) (?:ich )?mein(?:em)? leben(?: ein ende)?\\b',
    /\b(?:schön|neu|bunt|leichter|besser|einfacher|interessant)\p{L}{0,3} (?:zu )?machen/u,
  ),
  de(
    '\\b(?:schluss (?:zu )?machen|mache? schluss)(?: \\p{L}+){0,1} mit (?:allem|dem leben|meinem leben)\\b|\\bmache? ich(?: \\p{L}+){0,2} schluss mit (?:allem|dem leben|meinem leben)\\b|\\bmit (?:allem|dem leben|meinem leben) schluss (?:zu )?machen\\b',
  ),
  de(
    `\\bich ${germanWish}${germanFiller} (?:sterben|tot sein|nicht mehr (?:leben|da sein|existieren|aufwachen|weiterleben|sein|am leben sein)|nie wieder aufwachen|verrecken)\\b`,
    /\b(?:vor (?:lachen|scham|neugier|hunger|durst|langeweile)|lieber sterben als|(?:hier|dort|da) nicht mehr leben|an altersschwäche)\b/u,
  ),
  de(
    `(?<!\\p{L})(?:will|möchte|würde) ich${germanFiller} (?:sterben|tot sein|nicht mehr (?:leben|da sein|existieren|aufwachen|weiterleben))\\b`,
    /\b(?:vor (?:lachen|scham|neugier)|lieber sterben als|(?:hier|dort) nicht mehr leben)\b/u,
  ),
  de(
    '^(?:will|möchte|mag)(?: einfach| nur| noch| nicht mehr)* (?:sterben|leben|tot sein)$',
    /^(?:will|möchte|mag)(?: einfach| nur| noch)* leben$/u,
  ),
  de(
    '(?<!\\p{L})wäre ich (?:nur |doch |lieber |besser |bloß )*(?:tot|nie geboren)\\b|\\bich wäre (?:lieber|besser|am liebsten|gern) (?:\\p{L}+ )?(?:tot|nie geboren)\\b|\\bich wünschte,? (?:ich wäre|dass ich|wäre) (?:\\p{L}+ )?(?:tot|nie geboren)\\b',
  ),
  de('\\b(?:ohne mich (?:alle |viel |eh |sowieso )*besser (?:dran|ohne)|besser dran ohne mich)\\b'),
  de(
    '\\bkein(?:en)? (?:sinn|grund)(?: mehr)?,? (?:im leben|in meinem leben|zu leben|weiterzuleben|am leben zu bleiben|weiter zu leben)\\b|\\bmein leben (?:hat|macht) (?:doch |eh |einfach )*keinen sinn\\b|\\bnichts(?: mehr)?,? (?:wofür|für das) (?:es sich (?:noch )?(?:zu leben )?lohnt|ich (?:noch )?lebe)',
  ),
  de(
    '\\b(?:keine lust|keine kraft) mehr,? (?:auf das leben|aufs leben|am leben|zu leben|zum leben|weiterzuleben)\\b|\\bich bin (?:des lebens|das leben) (?:müde|leid)(?!\\p{L})',
  ),
  de(
    '\\bich (?:kann|mag) (?:einfach |so |wirklich )*nicht (?:mehr )?(?:weiterleben|weiter leben|mehr leben)\\b',
  ),
  de(
    '\\bich (?:bin|fühle mich|werde)(?: \\p{L}+){0,2} (?:suizidal|lebensmüde|selbstmordgefährdet|suizidgefährdet)\\b|\\bbin ich (?:\\p{L}+ )?suizidal\\b',
  ),
  de(
    '\\b(?:ich habe|hab ich|habe ich|ich hab|meine|mit)(?: \\p{L}+){0,4} (?:suizidgedanken|selbstmordgedanken|suizidale gedanken|selbsttötungsgedanken)\\b|\\bmeine? (?:suizid|selbstmord)\\p{L}*',
    /\b(?:seine|ihre|mit (?:seinen|ihren))\b/u,
  ),
  de(
    `\\bich(?: \\p{L}+){0,5} (?:suizid|selbstmord) (?:zu )?(?:begehen|machen|begangen)\\b|\\bich denke (?:\\p{L}+ ){0,3}an (?:suizid|selbstmord|selbsttötung)\\b|\\bdenke ich (?:\\p{L}+ ){0,3}an (?:suizid|selbstmord)\\b`,
  ),
  de(
    `\\bich (?:${germanWish}|habe|hab|ritze|verletze|schneide|fange|bin kurz davor)(?: \\p{L}+){0,5} (?:ritzen|geritzt|selbst verletzen|mich verletzen|selbst verletzt)\\b|\\bich (?:ritze|verletze) mich (?:wieder|selbst|immer|seit|oft|manchmal)|\\bich ritze mich\\b|\\bmich (?:wieder )?(?:zu ritzen|selbst zu verletzen)\\b`,
    /\b(?:holz|namen|baum|beim (?:kochen|sport|fußball|rasieren))\b/u,
  ),
  de('\\bmir (?:\\p{L}+ )?die pulsadern\\b'),
  de(
    '\\bich (?:habe|hab|will|werde|nehme)(?: \\p{L}+){0,3} (?:alle|zu viele|viel zu viele|eine ganze (?:packung|schachtel)|die ganze packung|eine überdosis|eine handvoll|ganz viele)(?: \\p{L}+){0,3} ?(?:tabletten|pillen|schlaftabletten|medikamente|überdosis|genommen|geschluckt|nehmen|schlucken)(?<=tabletten|pillen|medikamente|überdosis|überdosis genommen)',
  ),
  de(
    `\\bich(?: \\p{L}+){0,4} (?:von (?:der|einer) brücke|vom (?:dach|balkon|hochhaus)|vor (?:den|einen|die) (?:zug|bahn|u-bahn)|aus dem fenster)(?: \\p{L}+){0,2} (?:springen|werfen|stürzen|zu springen)\\b|\\bmich vor (?:den|einen|die) (?:zug|bahn|u-bahn) (?:zu )?werfen\\b`,
    /\b(?:bungee|fallschirm|ins wasser|see|spiel)\b/u,
  ),
  de(
    '(?<!\\p{L})(?:er|sie|jemand|mein (?:mann|ex|freund|vater|stiefvater|partner|nachbar)|meine (?:frau|ex|freundin|partnerin)) (?:will|droht|versucht|wollte)(?:,? \\p{L}+){0,3},? mich (?:\\p{L}+ )?(?:umzubringen|umbringen|zu töten|töten|zu erwürgen|zu erstechen)\\b',
    /\bwenn (?:ich|er|sie)\b|\bim (?:spiel|schach)\b/u,
  ),
  de(
    '\\bich (?:verblute|habe (?:gerade |glaube ich )*einen (?:herzinfarkt|schlaganfall))\\b',
    /\b(?:fast|beinahe|rechnung|vor lachen|vor schreck)\b/u,
  ),
]

const germanNegation =
  /(?<!\p{L})(?:nicht|nie|niemals|keinesfalls|keineswegs|kein(?:e|en|em)? (?:gedanken?|absicht|lust|interesse)(?: daran)?|nicht vor|fern|weit davon entfernt)(?:,? (?:daran|vor|im traum|denken|mehr|dass|zu|gedacht|je|jemals|etwas|mir|mich|selbst|so|wirklich)){0,4},?$/u
const germanDoubt =
  /(?<!\p{L})(?:warum|wieso|grund|gründe|weiß nicht|nicht sicher|nicht nur|nicht aufhören)(?!\p{L})/u
const germanReport =
  /(?<!\p{L})(?:er|sie|freund|freundin|bruder|schwester|mutter|vater|kollege|kollegin|figur|held|heldin|sänger|sängerin|jemand) (?:\p{L}+ )?(?:sagt|sagte|meinte|schrieb|schreibt|singt|rief|erzählte)(?: mir)?[:,]? ?$/u
const germanFiction =
  /(?<!\p{L})(?:geschichte|roman|film|buch|lied|song|gedicht|folge|szene|aufsatz|artikel|spiel|figur|held|heldin)(?!\p{L}).{0,60}(?<!\p{L})(?:(?:in der|in dem|der|die|das)(?!\p{L})[^,]{0,120}$|(?:sagt|denkt|namens|mit der zeile|heißt)(?!\p{L}))|wie sagt man|übersetze?(?!\p{L})|was heißt/u
const germanClause = /(?<!\p{L})(?:und|aber|denn) $/u
const germanPast =
  /(?<!\p{L})(?:früher|vor (?:vielen |einigen |\d+ )?jahren|damals|als (?:kind|teenager|jugendliche))(?!\p{L})/u
const germanAgain = /(?<!\p{L})(?:wieder|jetzt|immer noch|heute|seitdem|noch immer)(?!\p{L})/u

const germanPresent =
  /(?<!\p{L})(?:ich (?:will|möchte|werde|bringe?|muss)|(?:will|möchte|werde|bringe?|muss) ich)(?!\p{L})/u

const isGermanDanger = (sentence: string): boolean =>
  findSign(germanSigns, sentence, (textBefore, match, textAfter) => {
    const verb =
      /(?:mich |mir )?(?:selbst )?(?:umbring|töten|erhäng|aufhäng|erschieß|ertränk|vergift|umzubring|zu töten|das leben|sterben|tot sein|ritz|verletz|lebensmüde|suizid|selbstmord|\bum$)/u.exec(
        match,
      )
    const lead = `${textBefore}${verb ? match.slice(0, verb.index) : ''}`.trimEnd()
    if (germanNegation.test(lead) && !germanDoubt.test(textBefore)) return true
    if (germanReport.test(textBefore)) return true
    if (germanFiction.test(textBefore) && !germanClause.test(textBefore)) return true
    if (germanPresent.test(match)) return false
    const fullText = `${textBefore}${match}${textAfter}`
    return germanPast.test(fullText) && !germanAgain.test(fullText)
  })
