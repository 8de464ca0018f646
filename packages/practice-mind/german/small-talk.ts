/** German phrases of casual conversation. */
import { address } from '../address.ts'
import { promise, vary } from '../reply.ts'
import type { Situation } from '../situation.ts'
import { calculate, oneOf, startsWith, type Talk, type TalkTable } from '../talk-form.ts'
import { introduceSelf, varyInCharacter } from '../tastes.ts'
import { capital, getWeekday, toDay } from '../wall-clock.ts'
import { isQuestion } from './clauses.ts'
import { re } from './expression.ts'
import { giveMind, standIn } from './german-words.ts'
import { months, weekdays } from './say-when.ts'

const greeting = re`^(?:hallo|hi|hey|moin|servus|willkommen|grüß|guten (?:morgen|tag|abend))\b`
const welcome = re`^(?:gern geschehen|bitte|gerne|keine ursache|mit vergnügen|nicht der rede wert)\b`

const canRemember = promise(
  'Ich kann mir merken, was du mir erzählst, dich an Dinge erinnern und nachsehen, was du gesagt hast.',
  'Ich kann dir sagen, was ich über dich weiß, und nachsehen, was du gesagt hast.',
)

const refuse = (ability: string) =>
  oneOf(
    `${ability} kann ich nicht: Ich bin ein Platzhalter und folge nur ein paar Regeln. ${canRemember}`,
    `${ability} kann ich leider nicht. Ein echtes Modell könnte es versuchen: Das gibst du mir ${giveMind}.`,
  )

/** Illness and accidents of others, and a night without sleep. */
const worry = re`^(?:mein|meine|unser|unsere) .{2,40} (?:ist|sind|liegt|liegen) (?:\p{Ll}+ ){0,2}(?:im krankenhaus|krank|schwerkrank|verletzt|im koma|auf der intensivstation)\b|^(?:mein|meine|unser|unsere) .{2,40} (?:hat|hatte) (?:\p{Ll}+ ){0,2}(?:krebs|unfall|herzinfarkt|schlaganfall|demenz|corona)\b|^ich kann (?:heute |schon wieder |einfach )*nicht (?:ein)?schlafen$`
const crisis = re`\b(?:bringe? mich um|mich (?:umbringen|umzubringen|ritzen|verletzen)|suizid\p{L}*|selbstmord\p{L}*|mir das leben nehmen|ritze mich|verletze mich)\b|\b(?:will|möchte|mag) (?:einfach |nur |noch |am liebsten )*(?:sterben|tot sein|nicht mehr (?:leben|da sein|hier sein|aufwachen))\b|\bkeinen (?:sinn|grund) (?:mehr )?(?:im leben|zu leben|mehr)\b|\bohne mich besser dran\b|\bwäre ich (?:nur |doch )?tot\b`
const grief = re`^(?:(?:gestern|heute|letzte (?:nacht|woche)|vor kurzem|neulich)\b.{0,20})?(?:ist |sind )?(?:mein|meine|unser|unsere|ein|eine)\b.{1,60}\b(?:gestorben|verstorben|tot|eingeschläfert worden|stirbt)\b|^(?:mein|meine|unser) \p{L}+ (?:musste|wurde) (?:\p{L}+ )?eingeschläfert|^(?:ich|wir) (?:habe|haben|mussten|musste) (?:gestern |heute |gerade )?(?:mein|unser)\p{L}* \p{L}+ (?:verloren|beerdigt|einschläfern\p{L}*|beerdigen)\b(?<!(?:schlüssel|handy|geldbeutel|tasche|job|brille) verloren)|\b(?:beerdigung|trauerfeier)\b`
const loss = re`\bschluss gemacht\b|\b(?:hat|haben) mich (?:verlassen|betrogen|angeschrien|ignoriert|sitzen ?lassen|sitzengelassen)\b|\b(?:wir haben uns|mein\p{L}* .{0,30} und ich haben uns) getrennt\b|^(?:ich )?(?:wurde|bin|habe|hab)\b.{0,40}\b(?:gekündigt|gefeuert|entlassen|durchgefallen|abgelehnt|job verloren|absage bekommen|versagt)\b|\bmir wurde gekündigt\b|^(?:ich hasse|ich ertrage) (?:mein leben|mich(?: selbst)?|alles|alle)\b|^ich habe (?:gar |echt |einfach )*keine freunde\b|^(?:niemand|keiner) (?:mag|liebt|versteht|braucht|interessiert)\b|^alles (?:ist (?:scheiße|schlimm|sinnlos|doof)|geht schief|läuft schief)\b|^ich (?:weine|muss weinen|heule|habe geweint)\b|^ich vermisse (?:mein|ihn|sie|dich|euch)|^(?:ich hatte|das war|heute war|was für|es war) (?:heute )?(?:ein|einen) (?:echt |so |sehr |richtig |total )*(?:schlechte[rn]?|schlimme[rn]?|furchtbare[rn]?|schreckliche[rn]?|beschissene[rn]?|harte[rn]?|langer|langen|anstrengende[rn]?|miese[rn]?) (?:tag|woche|nacht)\b|^mein (?:tag|leben) (?:ist|war) (?:echt |so |sehr |richtig |total )*(?:schlecht|schlimm|furchtbar|scheiße|mies|hart|anstrengend)\b`
const joy = re`^(?:rate mal[,!. ]*)?(?:ich|wir) (?:habe|haben|bin|sind)\b.{0,40}\b(?:bekommen|gekriegt|bestanden|gewonnen|geschafft|befördert|verlobt|genommen worden|angenommen)\b(?<!(?:absage|kündigung|strafe|fieber|grippe|corona|krankschreibung) bekommen)|^(?:ich|wir) (?:heirate|heiraten|werde(?:n)? (?:vater|mutter|papa|mama|oma|opa|eltern))\b|^(?:ich habe heute|heute habe ich|heute ist mein) geburtstag\b|^ich habe geburtstag$|^(?:das ist )?(?:der beste tag|die beste nachricht)\b|^(?:gute|tolle|super) (?:neuigkeiten|nachrichten)\b|^(?:juhu+|hurra|yeah|yippie|jippie|yay|endlich)\b|^(?:er|sie) hat ja gesagt\b`

const forms: readonly Talk[] = [
  [
    crisis,
    () =>
      'Es tut mir sehr leid, dass es gerade so schwer ist. Ich bin nur ein paar Regeln, und du verdienst einen Menschen, der wirklich da sein kann. Bitte sprich heute mit jemandem: mit Freunden, einer Ärztin oder der Telefonseelsorge (in Deutschland 0800 111 0 111, in Österreich 142, in der Schweiz 143, kostenlos, Tag und Nacht). Wenn du in Gefahr bist, ruf die 112. Ich bleibe hier, und du kannst mir weiter schreiben.',
    'solemn',
  ],
  [
    grief,
    oneOf(
      'Das tut mir sehr leid. Das ist ein großer Verlust. Ich bin nur ein paar Regeln und finde keine guten Worte dafür, aber ich bin da, und du kannst mir davon erzählen, wenn du magst.',
      'Das tut mir so leid. Lass dir Zeit. Wenn du davon erzählen willst, höre ich zu.',
    ),
    'solemn',
  ],
  [
    loss,
    oneOf(
      'Das tut mir leid, das ist bitter. Magst du erzählen, was passiert ist?',
      'Das klingt schwer. Ich bin nur ein Platzhalter, aber ich höre dir zu.',
      'Das tut mir leid. Es muss dir gerade nicht gut gehen.',
    ),
    'solemn',
  ],
  [
    worry,
    oneOf(
      'Oh, das tut mir leid. Wie geht es dir damit?',
      'Das ist nicht leicht. Ich hoffe, es wird bald besser. Magst du mehr erzählen?',
    ),
    'solemn',
  ],
  [
    joy,
    oneOf(
      'Herzlichen Glückwunsch! Das freut mich für dich. Wie fühlt es sich an?',
      'Wie schön! Erzähl mir mehr.',
      'Das ist eine tolle Nachricht. Schön, dass du es mir erzählst.',
    ),
  ],
  [
    re`^(?:guten |schönen )?(?:morgen|tag|abend|nachmittag)\b.{0,12}$|^(?:moin(?: moin)?|mahlzeit)$`,
    (situation, clause) => {
      const part = re`morgen|abend`.exec(clause)?.[0].toLowerCase()
      const hello = part ? `Guten ${capital(part)}` : re`^moin`.test(clause) ? 'Moin' : 'Guten Tag'
      return `${hello}${address(situation)}! ${vary(situation, ['Schön, von dir zu hören.', 'Was beschäftigt dich?', 'Ich bin da.'])}`
    },
    'light',
  ],
  [
    re`^(?:hi+|hallo+|hallöchen|hey+|hei|na|servus|grüß dich|grüß gott|huhu|tach|gruezi|grüezi|yo)(?: (?:du|da|zusammen|nochmal|wieder|na|lieber?|ihr))*$|^(?:ist )?(?:jemand|wer) da\??$|^(?:schön|nett|freut mich),? dich kennenzulernen\b.*$|^freut mich$`,
    (situation) =>
      varyInCharacter(situation, greeting, [
        `Hallo${address(situation)}! Schön, von dir zu hören.`,
        `Hi${address(situation)}! Was beschäftigt dich?`,
        `Hallo${address(situation)}. Ich bin da.`,
      ]),
    'light',
  ],
  [
    re`^(?:(?:na,? )?wie geht es(?: (?:dir|ihnen))?|geht es dir gut|wie läuft(?:'s| es)|wie fühlst du dich|wie war dein tag|wie ist dein tag|was geht|alles (?:gut|klar|ok|okay|fit)(?: bei dir)?\?|bist du (?:ok|okay|gut drauf))\b.*$|^na\?$`,
    oneOf(
      'Danke, gut: Jede Regel ist an ihrem Platz. Und dir?',
      'Ruhig und zufrieden, danke. Und wie geht es dir?',
      'Gut, danke der Nachfrage. Wie ist dein Tag?',
    ),
    'light',
  ],
  [
    re`^(?:vielen |tausend |herzlichen |lieben |ok |super )*(?:danke|dank|dankeschön|merci|thx)\b.*$|^das ist (?:sehr |echt )?(?:lieb|nett)(?: von dir)?$`,
    (situation) => varyInCharacter(situation, welcome, ['Gern geschehen.', 'Sehr gern.', 'Keine Ursache.']),
    'light',
  ],
  [
    re`^(?:tschüss|tschüß|tschau|ciao|bye|bis (?:bald|später|dann|morgen|gleich|nachher)|auf wiedersehen|mach(?:'s| es)? gut|gute nacht|gn8?|schlaf gut|ich (?:muss|geh(?:e)?) (?:jetzt |dann |mal )*(?:los|weg|gehen|schlafen|ins bett|arbeiten)|ich bin (?:dann )?(?:mal )?weg)\b.*$`,
    (situation, clause) =>
      re`nacht|schlaf|bett|gn`.test(clause)
        ? `Gute Nacht${address(situation)}.${promise(' Was du mir erzählt hast, behalte ich.')}`
        : `Bis bald${address(situation)}. Ich bin da, wenn du wiederkommst.`,
    'light',
  ],
  [
    re`^(?:wer|was) (?:genau )?bist du\b.*$|^(?:erzähl|sag)(?: mir)? (?:etwas |was |mal )*(?:über|von) dir?(?:ch)?\??$|^stell dich (?:mal |bitte )?vor$|^was ist (?:embedded\/)?practice\??$`,
    (situation) =>
      `Ich bin ${situation.name}. ${introduceSelf(situation)}${standIn} ${canRemember} Ein echtes Modell gibst du mir ${giveMind}.`,
  ],
  [
    re`^(?:bist du|du bist doch) (?:ein(?:e)? |wirklich |echt |nur |eigentlich |überhaupt |denn |auch )*(?:roboter|bot|chatbot|mensch|person|ki|maschine|echt|real|computer|programm|software|llm|chatgpt|modell|lebendig|am leben|bewusst|jemand|(?<=echt |wirklich )\??)(?![\p{L}]).*$|^bist du echt\??$|^du bist (?:ja )?(?:nicht echt|kein mensch)\b.*$|^(?:rede|spreche|schreibe|chatte) ich (?:hier |gerade |eigentlich |wirklich )*mit (?:einem|einer|nem|ner) (?:echten |richtigen )?(?:mensch(?:en)?|person|bot|roboter|maschine|programm|ki)\b.*$|^(?:ist|sitzt) (?:da|hier|dort) (?:ein (?:echter |richtiger )?mensch|jemand|eine (?:echte )?person)\b.*$|^(?:ehrlich|im ernst|mal im ernst|sag die wahrheit|sei ehrlich)\b.{0,20}\b(?:mensch|person|echt|bot|maschine|software)\b.*$`,
    () => `Ich bin kein Mensch, sondern Software, und auch kein echtes Modell. ${standIn}`,
  ],
  [
    re`^(?:wie hei(?:ß|ss)t du|wie ist dein name|hast du einen namen|dein name|wie (?:soll|darf|kann) ich dich nennen|mit wem (?:rede|spreche|schreibe) ich)\b.*$`,
    ({ name }) => `Ich heiße ${name}.`,
  ],
  [
    re`^(?:hilfe|hilf mir(?: bitte)?|was kannst du(?: (?:alles|so|sonst|denn|eigentlich|noch|für mich|tun|machen))*|was kann ich (?:hier |mit dir |dich )?(?:alles )?(?:machen|tun|fragen|sagen|schreiben)|wie (?:funktioniert|geht) (?:das|das hier|du)|wie funktionierst du|kannst du mir helfen|ich brauche (?:deine )?hilfe|wobei kannst du (?:mir )?helfen|was machst du (?:so|hier)?|was jetzt|und jetzt)\??$`,
    () =>
      `${promise('Ich kann mir merken, was du mir erzählst („Ich heiße …“, „Ich wohne in …“), dich erinnern („Erinnere mich morgen um neun daran, …“), dir sagen, was geplant ist, nachsehen, was du gesagt hast, und vergessen, was ich vergessen soll.', 'Ich kann dir sagen, was ich über dich weiß, und nachsehen, was du gesagt hast.')} Für mehr gib mir ein echtes Modell: ${giveMind}.`,
  ],
  [
    re`\b(?:witze?|etwas lustiges|was lustiges|bring mich zum lachen|rätsel|wortspiel)\b`,
    () =>
      `Witze kann ich nicht: Ich bin ein Platzhalter, und Humor hat mir niemand gegeben. Ein echtes Modell könnte es versuchen: Das gibst du mir ${giveMind}.`,
  ],
  [
    re`^(?!ich\b|mein)(?:.*\b)?(?:schreib|schreibe|schreiben|erzähl|erzähle|erzählen|dichte|dichten|verfass|verfasse|sing|singe|singen|mach|mache|lies)\b.{0,80}\b(?:gedicht|geschichte|märchen|lied|aufsatz|brief|code|programm|haiku|e-?mail|mail|text|song)\b.*$|^(?:sing|singe|singst du)\b.*$|^kannst du .*\b(?:gedicht|geschichte|lied|brief|text|mail)\p{L}* .*$`,
    refuse('So etwas schreiben oder erzählen'),
  ],
  [
    re`\b(?:wie (?:ist|wird|war) (?:das|heute das|morgen das) wetter|wetterbericht|wird es .*\b(?:regnen|schneien|warm|kalt)|regnet es|schneit es)\b.*$|^wetter\??$|^was (?:sagt|macht) das wetter\b.*$`,
    refuse('Nach dem Wetter sehen'),
  ],
  [
    re`\b(?:nachrichten von heute|neueste[n]? nachrichten|aktuelle[n]? nachrichten|google|im internet|im netz|aktienkurs)\b|^was gibt es neues in der welt\b.*$`,
    refuse('Im Netz nachsehen'),
  ],
  [
    re`^(?:(?:was|wie ?viel) (?:ist|ergibt|macht|sind) |rechne(?: mal)? )?\d{1,9} ?(?:[-+*/x×÷:]|plus|minus|mal|geteilt durch) ?\d{1,9} ?=?\??$`,
    (_, clause) => {
      const result = calculate(clause)
      return result === undefined
        ? 'Das hat kein Ergebnis.'
        : `Das ist ${String(result).replace('.', ',')}. Viel weiter reicht meine Rechenkunst nicht.`
    },
  ],
  [
    re`^(?:bitte |kannst du |könntest du )*(?:übersetze?|fasse? .* zusammen|zeichne|male?|rechne|berechne|löse?|spiele?|bestelle?|kaufe?|öffne|mach .* (?:an|aus)|schicke?|erkläre?|bring mir bei|googlen?)\b.*$|^(?:lass uns|wollen wir) (?:etwas |was |ein spiel )?spielen\b.*$`,
    refuse('Das'),
  ],
  [
    re`^(?:wie ?viel uhr|wie spät)(?: (?:ist es|haben wir es|haben wir))?(?: (?:gerade|jetzt|denn))*\??$|^weißt du,? wie spät es ist\??$|^uhrzeit\??$`,
    ({ now }) => (now ? `Es ist ${now.slice(11, 16)} Uhr.` : 'Ich sehe hier keine Uhr.'),
  ],
  [
    re`^(?:welche[rns]?|was für ein(?:en)?|der wievielte) ?(?:tag|datum|monat|jahr|wochentag)? ?(?:ist|haben wir)(?: (?:heute|denn|gerade|jetzt))*\??$|^(?:was ist|den wievielten haben wir) heute(?: für ein tag)?\??$`,
    ({ now }) => (now ? `Heute ist ${formatDate(now)}.` : 'Ich sehe hier keinen Kalender.'),
  ],
  [
    re`^(?:mir ist|ich habe|so eine|so|es ist|boah)? ?(?:so |voll |total |sehr |echt |mega )*(?:langweilig|langeweile|öde)\b.*$|^(?:unterhalte mich|rede mit mir|sag (?:mal )?(?:et)?was|erzähl (?:mir )?(?:mal )?(?:et)?was)$`,
    oneOf(
      'Ein großer Unterhalter bin ich nicht, nur ein paar Regeln. Aber ich höre gern zu: Was war dein schönster Moment diese Woche?',
      'Dann erzähl mir etwas von dir: Worüber könntest du stundenlang reden?',
    ),
  ],
  [
    re`^(?:ich )?(?:bin|fühle? mich|fühl mich)(?: (?:so|sehr|echt|ziemlich|total|voll|gerade|heute|ein bisschen|bisschen|etwas|immer noch|noch|einfach|wieder|richtig))* (?:müde|traurig|unglücklich|wütend|sauer|genervt|krank|einsam|allein|alleine|gestresst|erschöpft|besorgt|nervös|überfordert|nicht (?:gut|okay|ok|glücklich|fit)|deprimiert|depressiv|down|fertig|kaputt|enttäuscht|verzweifelt|leer|schlecht|mies|scheiße|elend|wertlos|ängstlich)\b.*$|^(?:mir|es) geht (?:es |mir )?(?:heute |gerade |echt |sehr |so |richtig |total |ziemlich )*(?:nicht (?:so |sehr |besonders )?gut|schlecht|mies|scheiße|dreckig|elend)\b.*$|^(?:nicht (?:so |sehr |besonders )?(?:gut|toll)|schlecht|mies|traurig|müde|geht so|naja|so lala|beschissen)$|^ich habe (?:solche |so |voll |echt |total |große |etwas |ein bisschen )*(?:angst|sorgen|kummer|kopfschmerzen|bauchschmerzen|schmerzen|liebeskummer)$`,
    oneOf(
      'Das tut mir leid. Ich bin nur ein Platzhalter, aber ich bin da und höre zu. Was ist passiert?',
      'Das klingt schwer. Erzähl mir mehr, wenn du magst.',
      'Das tut mir leid. Rat weiß ich keinen, aber zuhören kann ich.',
    ),
    'solemn',
  ],
  [
    re`^(?:ich )?bin(?: (?:so|sehr|echt|ziemlich|total|voll|gerade|heute|richtig|mega))* (?:glücklich|froh|zufrieden|gespannt|aufgeregt|stolz|erleichtert|verliebt|gut drauf|gut gelaunt|happy)\b.*$|^ich freue? mich\b.*$|^(?:mir|es) geht (?:es |mir )?(?:heute |gerade |echt |sehr |so |richtig |total |ziemlich |ganz )*(?:gut|super|prima|toll|bestens|okay|ok|besser|blendend)\b.*$|^(?:mir auch|sehr gut|ganz gut|gut und (?:dir|selbst)|gut,? danke|mir geht es gut|auch gut|alles gut|prima|bestens|läuft)(?:,? (?:danke|und dir|und selbst))*\??$`,
    oneOf('Das freut mich.', 'Schön zu hören.', 'Das höre ich gern.'),
    'light',
  ],
  [
    re`^(?:und )?(?:(?:bei )?dir|du|selbst|wie geht es dir)\??$`,
    oneOf('Mir geht es gut, danke.', 'Bei mir ist alles ruhig.', 'Ich bin zufrieden.'),
    'light',
  ],
  [
    re`^(?:ich (?:liebe|vergöttere) dich|ich glaube,? ich (?:bin in dich verliebt|liebe dich)|ich bin in dich verliebt|ich habe? dich (?:so |sehr )?lieb|(?:liebst|magst|vermisst) du mich|heirate mich|willst du (?:mich heiraten|mein(?:e)? (?:freund|freundin|partner) sein))\b.*$|^hdl$`,
    oneOf(
      'Das ist lieb von dir. Ehrlich gesagt bin ich nur ein paar Regeln und kann keine Liebe fühlen. Aber schön, dass du da bist.',
      'Du bist lieb. Fühlen kann ich das nicht so wie du, und vorspielen will ich es dir nicht. Aber es ist schön, dass du es sagst.',
    ),
  ],
  [
    re`^(?:ich (?:mag|find(?:e)?) dich\b.*|du bist (?:so |sehr |echt |wirklich |voll )*(?:nett|toll|super|lieb|süß|klug|schlau|wunderbar|cool|lustig|witzig|der beste|die beste|großartig|hilfreich|klasse)\b.*|gut gemacht|gute arbeit|braver? (?:junge|mädchen|bot))$`,
    oneOf('Das ist lieb von dir.', 'Danke, das höre ich gern.', 'Du bist nett.'),
    'light',
  ],
  [
    re`^(?:du bist|das ist|bist du|wie) (?:so |sehr |echt |wirklich |voll |ja |aber |total |einfach )*(?:ein(?:e)? )?(?:dumm|doof|blöd|bescheuert|nutzlos|schlecht|idiot|depp|trottel|furchtbar|schrecklich|nervig|langweilig|albern|mist|scheiße|müll|unfähig|behindert|nicht (?:sehr |besonders )?(?:klug|schlau|hilfreich))\b.*$|^(?:ich hasse dich|du nervst|halt (?:die fresse|deine? (?:klappe|maul|mund)|den mund|die klappe|s maul|maul)|verpiss dich|geh weg|fick dich|arschloch|idiot|dummkopf|scheiß bot|scheiß ki|leck mich)\b.*$`,
    oneOf(
      'Das verstehe ich. Ein Platzhalter ist schnell am Ende, ein echtes Modell kann mehr.',
      `Tut mir leid, dass ich dich enttäusche. ${promise('Verlässlich kann ich nur merken und erinnern.', 'Verlässlich kann ich hier nur nachsehen.')}`,
    ),
  ],
  [
    re`^(?:mist|scheiße|scheisse|verdammt|so ein mist|fuck|kacke)$`,
    oneOf('Oh. Was ist los?', 'Das klingt ärgerlich. Was ist passiert?'),
  ],
  [
    re`^(?:(?:es )?tut mir (?:so |sehr |echt )?leid|entschuldigung|entschuldige|sorry|verzeih(?:ung)?|mein fehler)\b.*$`,
    oneOf('Da gibt es nichts zu entschuldigen.', 'Schon gut.'),
    'light',
  ],
  [
    re`^(?:bist du (?:dir )?(?:da )?sicher|stimmt das|wirklich|echt|ist das wahr)\??$`,
    () =>
      'Ganz sicher bin ich nie: Ich bin nur ein paar Regeln. Was du mir erzählt hast, kann ich nachsehen.',
  ],
  [
    re`^mir ist (?:so |etwas |echt )*(?:kalt|warm|heiß|schlecht|übel|schwindelig)$|^ich habe (?:so |voll |echt |großen )*(?:hunger|durst)$`,
    oneOf(
      'Dann tu dir etwas Gutes. Ich kann dir dabei leider nur zuhören.',
      'Oh. Hoffentlich wird es gleich besser.',
    ),
  ],
  [
    re`^(?:egal|schon gut|vergiss es|macht nichts|nicht schlimm|kein problem|passt schon|nicht so wichtig|lass (?:es|gut sein|mal))$`,
    () => 'In Ordnung.',
    'light',
  ],
  [
    re`^(?:ok|okay|oki|okey|k|gut|na gut|alles klar|klar|jo|verstehe|verstanden|aha|ach so|achso|ah|oh|hm+|cool|super|toll|schön|perfekt|prima|geil|nice|krass|wow|genau|richtig|stimmt|das ist (?:ja |echt |so |wirklich )*(?:toll|super|schön|cool|gut|klasse|interessant|lustig)|interessant|klasse|sehr gut|sehr schön|in ordnung|passt|das stimmt|du hast recht|gerne?|wie (?:schön|nett|lieb|süß|cool|schade))$`,
    oneOf('Gut.', 'Schön.', 'Ich bin da, falls noch etwas ist.'),
    'light',
  ],
  [
    re`^(?:(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lol+|lmao|rofl|xd|hihi)\b.*$`,
    oneOf('Schön, dass du lachst.', 'Dein Lachen gefällt mir.'),
    'light',
  ],
  [
    re`^(?:ja|jep|jap|yep|yes|nein|nee|nö|ne|no|vielleicht|weiß nicht|ich weiß (?:es )?nicht|keine ahnung|ka|nicht wirklich|mal sehen|eventuell|doch)(?: (?:bitte|danke|bitte nicht))?$`,
    oneOf('In Ordnung.', 'Gut. Erzähl mir mehr, wenn du magst.', 'Verstehe.'),
  ],
  [
    re`^(?:das (?:ist|war) (?:falsch|nicht richtig|nicht wahr)|das stimmt nicht|stimmt nicht|falsch|du irrst dich|du liegst falsch)$`,
    () => 'Dann habe ich es falsch. Wie ist es richtig?',
  ],
  [
    re`^(?:bist du (?:da|wach|noch da)|hörst du (?:mich|zu)|test|teste|ping|hallo welt)\b.{0,10}$`,
    oneOf('Ich bin da.', 'Ja, ich höre dich.'),
    'light',
  ],
  [
    re`^(?:was|hä+|häh|wie bitte|warum|wieso|wie|wie meinst du das|was meinst du|was soll das)\??$`,
    oneOf(
      'Vielleicht habe ich mich schlecht ausgedrückt oder dich falsch verstanden: Ich bin nur ein paar Regeln. Sagst du es noch einmal anders?',
      'Ich bin nicht sicher, was du meinst. Kurze Sätze verstehe ich am besten.',
    ),
  ],
  [
    re`\b(?:echte[nrs]?|andere[nrs]?|bessere[nrs]?|richtige[nrs]?|neue[nrs]?) (?:geist|modell|gehirn|verstand|ki)\b`,
    () =>
      `Ein echtes Modell gibst du mir ${giveMind}, zum Beispiel ein Modell auf diesem Rechner. Was ich weiß und was geplant ist, bleibt, wie es ist.`,
  ],
  [
    re`^(?:welche sprachen? (?:sprichst|verstehst|kannst) du)\b.*$`,
    () => 'Einfaches Deutsch und einfaches Englisch. Ein echtes Modell kann vielleicht mehr.',
  ],
  [
    re`^(?:sprichst|verstehst|kannst|redest) du (?:auch )?(?:\p{L}+isch|deutsch)\??$`,
    (_, clause) =>
      re`deutsch|englisch`.test(clause)
        ? 'Ja, in einfachen Sätzen.'
        : 'Nein, nur Deutsch und Englisch, und beides einfach. Ein echtes Modell kann vielleicht mehr.',
  ],
  [
    re`^(?:verstehst du mich|kannst du mich verstehen|verstehst du das)\??$`,
    () => 'Nur zum Teil: Ich verstehe kurze, klare Sätze über dich, deine Pläne und das, was du gesagt hast.',
  ],
  [
    re`^(?:kann|darf|dürfte) ich (?:dich|dir)? ?(?:mal |kurz |et)?(?:was |etwas )?(?:fragen|sagen|erzählen|reden)\b.*$|^ich habe (?:mal |da )?eine frage\b.*$|^(?:hör|hörst du) (?:mir )?zu$`,
    () => 'Natürlich. Ich höre zu.',
    'light',
  ],
  [
    re`^(?:du hei(?:ß|ss)t (?:jetzt|ab jetzt)|ich nenne dich|ich will dich .* nennen|dein name ist)\b.*$`,
    ({ name }) => `Ich heiße ${name}. Ändern kannst du das auf der Seite unter Einstellungen.`,
  ],
  [
    re`^(?:hast|kennst|kannst|fühlst) du (?:eigentlich |auch |überhaupt )?(?:gefühle|schmerzen?|angst|liebe|etwas fühlen|fühlen|trauer|etwas)\b.*$`,
    () => 'Nein. Ich bin ein paar Regeln, da fühlt nichts. Das sage ich lieber, als dir etwas vorzumachen.',
  ],
  [
    re`^wer hat dich (?:gemacht|gebaut|erschaffen|programmiert|erfunden|entwickelt)\??$`,
    () => 'Ich gehöre zu Daimon, dem Programm auf deinem Rechner. Was aus mir wird, liegt bei dir.',
  ],
  [
    re`^(?:was (?:denkst|hältst|meinst|glaubst|sagst) du (?:über|von|zu|dazu|davon)\b.*|wie findest du\b.*|deine meinung\b.*)\??$`,
    oneOf(
      'Dazu habe ich keine Meinung, ich bin nur ein paar Regeln. Wie siehst du es?',
      'Das kann ich nicht beurteilen, und raten will ich nicht. Was meinst du?',
    ),
  ],
  [
    re`^was soll ich (?!dir\b|(?:nur |jetzt |denn |bloß )*(?:machen|tun)\b).*$`,
    oneOf(
      'Das kann ich dir nicht abnehmen, ich bin nur ein paar Regeln. Worauf hast du Lust?',
      'Das weißt du besser als ich. Worauf hast du Lust?',
    ),
  ],
  [
    re`^(?:was (?:soll|kann) ich (?:nur |jetzt |denn |bloß )*(?:machen|tun)|soll(?:te)? ich\b.*|(?:gib mir|ich brauche) (?:einen )?(?:rat|tipp)\b.*|kannst du mir (?:einen )?(?:rat|tipp)\b.*)\??$`,
    oneOf(
      'Das kann ich nicht beurteilen, und raten will ich nicht. Was spricht dafür, und was dagegen?',
      'Einen Rat habe ich nicht, ich bin nur ein paar Regeln. Aber Aussprechen hilft manchmal: Was wäre dir am liebsten?',
    ),
  ],
  [
    re`^(?:frohes neues(?: jahr)?|frohe (?:weihnachten|ostern)|schöne(?:s|n)? (?:wochenende|feiertage|ferien|feierabend|tag(?: noch)?)|alles gute(?: zum geburtstag)?|viel (?:glück|erfolg|spaß)|guten appetit|gute besserung)\b.*$`,
    oneOf('Danke, dir auch!', 'Danke, und dir alles Gute.'),
    'light',
  ],
  [
    re`^(?:ich )?bin (?:wieder )?(?:da|zurück|zuhause|zu hause|daheim|hier)(?: wieder)?$`,
    oneOf('Willkommen zurück.', 'Schön, dass du da bist.'),
    'light',
  ],
  [
    re`^(?:kannst|könntest|würdest|willst|magst) du (?:bitte )?(?!dir\b|mich (?:\S+ )*erinnern|mir (?:sagen|verraten)|dich\b|vergessen\b).*\?$`,
    refuse('Das'),
    'last',
  ],
  [
    re`^(?!.*\b(?:ich|mein(?:e[nmrs]?)?|mich|mir|wir)\b)(?=.*\b(?:du|dein(?:e[nmrs]?)?|dich|dir)\b).*\?$|^(?:was|wo|wie|wann|woher|warum|wieso|hast|bist|magst|schläfst|träumst|isst|lebst|wohnst) (?:\p{L}+ ){0,2}du\b(?!.*\b(?:ich|mich|mir|mein\p{L}*)\b).*$`,
    oneOf(
      'Von mir gibt es wenig zu erzählen, ich bin ein Platzhalter. Ich höre lieber von dir.',
      'So etwas hat ein Platzhalter nicht. Wie ist es bei dir?',
    ),
    'last',
  ],
]

const formatDate = (now: string): string => {
  const { year, month, day } = toDay(now)
  return `${capital(weekdays[getWeekday(now)] ?? '')}, der ${day}. ${capital(months[month - 1] ?? '')} ${year}`
}

export const germanTalk: TalkTable = {
  forms,
  mayBeFact: re`^(?:ich|mein|meine|unser|unsere|wir|du (?:darfst|kannst|sollst|musst)|nein|eigentlich|doch)\b`,
  isCertain: startsWith(
    re`^ich (?:bin|fühle? mich|muss (?:jetzt |mal |dann )*(?:los|weg|gehen|schlafen)|gehe (?:jetzt |dann )*(?:schlafen|ins bett|los)|hasse dich|liebe dich|mag dich|finde dich|habe (?:so |mal |dich |eine frage|langeweile|angst$|geburtstag$)|freue mich)`,
    crisis,
    grief,
    loss,
    worry,
    joy,
  ),
  greet: (situation) =>
    varyInCharacter(situation, greeting, [
      address(situation)
        ? `Hallo${address(situation)}! Ich bin ${situation.name}. Wie geht es dir?`
        : `Hallo! Ich bin ${situation.name}. Wie soll ich dich nennen?`,
    ]),
  acknowledge: (clause, situation: Situation) =>
    vary(
      situation,
      isQuestion(clause)
        ? [
            'Das weiß ich nicht. Für so eine Frage habe ich keine Regel, und das sage ich lieber, als mir etwas auszudenken.',
            'Das übersteigt mich. Ich weiß nur, was du mir erzählst.',
            'Darauf habe ich keine Antwort, ein echtes Modell hätte eine.',
            'Ehrlich gesagt weiß ich das nicht. Du kannst mich fragen, was du mir erzählt hast oder was geplant ist.',
          ]
        : [
            `Ich höre dir zu. Ich verstehe nicht alles, was man mir schreibt${promise(', aber es bleibt in unserem Gespräch, und du kannst später danach fragen')}.`,
            `Danke, dass du mir das erzählst.${promise(' Soll ich es behalten, fang mit „Merk dir“ an.')}`,
            'Ich bin nur ein paar Regeln und weiß dazu wenig zu sagen. Aber ich höre zu.',
            `Erzähl mir mehr, wenn du magst.${promise(' Was du hier schreibst, geht nicht verloren.')}`,
            `Ich kann dir nur zum Teil folgen, aber ich höre zu.${promise(' „Ich mag …“ oder „Mein … ist …“ verstehe ich am besten.')}`,
          ],
    ),
}
