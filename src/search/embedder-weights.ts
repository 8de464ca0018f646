/**
 * Measures how well an embedder finds answers, per language. Its results count only that much beside the
 * results by words.
 */
import * as z from 'zod'
import type { Embedder } from '../../packages/models/embedder.ts'
import { type Language, Languages } from './word-stems.ts'

/** Weight of the order by meaning. The order by words has the weight 1. */
export const EmbedderWeights = z.strictObject({
  byLanguage: z.partialRecord(z.enum(Languages), z.number()).readonly(),
  /** For unknown languages: the mean of the others. */
  other: z.number(),
})
export type EmbedderWeights = Readonly<z.infer<typeof EmbedderWeights>>

/** Questions and answers that share almost no word. An answer must be nearer than the answers of others. */
const pairs: Readonly<Partial<Record<Language, readonly (readonly [question: string, answer: string])[]>>> = {
  en: [
    ['What does she do for a living?', 'Anna works as a nurse in the children’s hospital.'],
    ['Which pet do they own?', 'Our old cat sleeps on the radiator all day.'],
    ['When are they going on vacation?', 'We fly to Portugal in the second week of August.'],
    ['What is he allergic to?', 'Peanuts make my throat swell, so I never eat them.'],
    ['Where did they grow up?', 'My childhood was spent in a small village by the sea.'],
    ['How do they get to the office?', 'I take my bike in the morning, even when it rains.'],
    ['Which instrument is she learning?', 'The piano lessons started last month.'],
    ['Why was the party cancelled?', 'Everyone had the flu, so nobody came to celebrate.'],
  ],
  de: [
    ['Was macht sie beruflich?', 'Anna arbeitet als Pflegerin in der Kinderklinik.'],
    ['Welches Haustier haben sie?', 'Unsere alte Katze schläft den ganzen Tag auf der Heizung.'],
    ['Wann fahren sie in den Urlaub?', 'In der zweiten Augustwoche fliegen wir nach Portugal.'],
    ['Wogegen ist er allergisch?', 'Von Erdnüssen schwillt mir der Hals zu, ich esse nie welche.'],
    ['Wo sind sie aufgewachsen?', 'Meine Kindheit habe ich in einem Dorf am Meer verbracht.'],
    ['Wie kommen sie ins Büro?', 'Morgens nehme ich das Rad, auch wenn es regnet.'],
    ['Welches Instrument lernt sie?', 'Der Klavierunterricht hat letzten Monat begonnen.'],
    ['Warum fiel die Feier aus?', 'Alle hatten Grippe, deshalb kam niemand.'],
  ],
  fr: [
    ['Quel est son métier ?', 'Anna est infirmière à l’hôpital pour enfants.'],
    ['Quel animal ont-ils ?', 'Notre vieux chat dort toute la journée sur le radiateur.'],
    ['Quand partent-ils en vacances ?', 'Nous prenons l’avion pour le Portugal mi-août.'],
    ['À quoi est-il allergique ?', 'Les cacahuètes me font gonfler la gorge, je n’en mange jamais.'],
    ['Où ont-ils grandi ?', 'J’ai passé mon enfance dans un village au bord de la mer.'],
    ['Comment vont-ils au bureau ?', 'Le matin je prends mon vélo, même sous la pluie.'],
    ['Quel instrument apprend-elle ?', 'Les leçons de piano ont commencé le mois dernier.'],
    ['Pourquoi la fête a-t-elle été annulée ?', 'Tout le monde avait la grippe, personne n’est venu.'],
  ],
  es: [
    ['¿A qué se dedica?', 'Anna trabaja de enfermera en el hospital infantil.'],
    ['¿Qué mascota tienen?', 'Nuestro viejo gato duerme todo el día sobre el radiador.'],
    ['¿Cuándo se van de vacaciones?', 'Volamos a Portugal la segunda semana de agosto.'],
    ['¿A qué es alérgico?', 'Los cacahuetes me hinchan la garganta, nunca los como.'],
    ['¿Dónde crecieron?', 'Pasé mi infancia en un pueblo junto al mar.'],
    ['¿Cómo llegan a la oficina?', 'Por la mañana voy en bici, aunque llueva.'],
    ['¿Qué instrumento aprende?', 'Las clases de piano empezaron el mes pasado.'],
    ['¿Por qué se canceló la fiesta?', 'Todos tenían gripe y no vino nadie.'],
  ],
  it: [
    ['Che lavoro fa?', 'Anna è infermiera nell’ospedale dei bambini.'],
    ['Che animale hanno?', 'Il nostro vecchio gatto dorme tutto il giorno sul termosifone.'],
    ['Quando vanno in vacanza?', 'Voliamo in Portogallo la seconda settimana di agosto.'],
    ['A che cosa è allergico?', 'Le arachidi mi gonfiano la gola, non le mangio mai.'],
    ['Dove sono cresciuti?', 'Ho passato l’infanzia in un paese sul mare.'],
    ['Come arrivano in ufficio?', 'La mattina prendo la bici, anche se piove.'],
    ['Quale strumento studia?', 'Le lezioni di pianoforte sono iniziate il mese scorso.'],
    ['Perché la festa è saltata?', 'Avevano tutti l’influenza e non è venuto nessuno.'],
  ],
  ru: [
    ['Кем она работает?', 'Анна — медсестра в детской больнице.'],
    ['Какое у них домашнее животное?', 'Наш старый кот весь день спит на батарее.'],
    ['Когда они едут в отпуск?', 'Мы летим в Португалию во вторую неделю августа.'],
    ['На что у него аллергия?', 'От арахиса у меня опухает горло, я его никогда не ем.'],
    ['Где они выросли?', 'Моё детство прошло в деревне у моря.'],
    ['Как они добираются до офиса?', 'Утром я сажусь на велосипед, даже в дождь.'],
    ['На каком инструменте она учится играть?', 'Уроки фортепиано начались в прошлом месяце.'],
    ['Почему отменили праздник?', 'Все заболели гриппом, и никто не пришёл.'],
  ],
}

/**
 * Of an embedder that finds all answers. Chosen with `bench locomo`: a weak English embedder improves search
 * most with 0.3 to 0.5, and makes it worse than words alone with 1.
 */
const maxWeight = 0.5
/** Results by meaning then only follow results by words. */
const minWeight = 0.1

/** Makes two calls. Throws like the embedder. */
export const measureWeights = async (embedder: Embedder, signal: AbortSignal): Promise<EmbedderWeights> => {
  const languages = Object.keys(pairs) as Language[]
  const all = languages.flatMap((language) => pairs[language] ?? [])
  const questions = await embedder.embed(
    all.map(([question]) => question),
    'asked',
    signal,
  )
  const answers = await embedder.embed(
    all.map(([, answer]) => answer),
    'found',
    signal,
  )
  const byLanguage: Partial<Record<Language, number>> = {}
  let from = 0
  for (const language of languages) {
    const to = from + (pairs[language]?.length ?? 0)
    byLanguage[language] = toWeight(
      shareFound(questions.vectors.slice(from, to), answers.vectors.slice(from, to)),
      1 / (to - from),
    )
    from = to
  }
  const weights = Object.values(byLanguage)
  return { byLanguage, other: weights.reduce((sum, weight) => sum + weight, 0) / weights.length }
}

export const getWeight = (weights: EmbedderWeights, language: Language | undefined): number =>
  (language && weights.byLanguage[language]) ?? weights.other

/** Returns the share of questions whose own answer is the nearest one. */
const shareFound = (
  questions: readonly (readonly number[])[],
  answers: readonly (readonly number[])[],
): number => {
  const foundQuestions = questions.filter((question, n) => {
    const nearness = answers.map((answer) => cosine(question, answer))
    return nearness.every((other, m) => m === n || other < (nearness[n] ?? 0))
  })
  return foundQuestions.length / questions.length
}

const toWeight = (foundShare: number, chance: number): number =>
  Math.max(minWeight, (maxWeight * (foundShare - chance)) / (1 - chance))

const cosine = (first: readonly number[], second: readonly number[]): number => {
  const dot = first.reduce((sum, number, n) => sum + number * (second[n] ?? 0), 0)
  return dot / (Math.hypot(...first) * Math.hypot(...second) || 1)
}
