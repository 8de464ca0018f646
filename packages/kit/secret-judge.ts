/**
 * Judges whether a value is a secret: by a known format, by the name of its field, or because it looks
 * random.
 *
 * Sources: the prefixes are documented by the providers and listed in gitleaks' rules
 * (github.com/gitleaks/gitleaks, `config/gitleaks.toml`). The entropy limits are those of gitleaks and of
 * Yelp's detect-secrets: 3.0 bits per character for hex, 3.5 for other alphabets (gitleaks
 * `generic-api-key`). By entropy alone `us-central1-docker.pkg.dev` counts as a key, so a value must also
 * have rare letter pairs, as in detect-secrets. Pairs count as common if they make up at least 0.03 % of all
 * pairs in 9833 English words (BIP-39 and README files of npm packages): 48 % of the 676 possible pairs.
 *
 * Measured: of 227,000 names of npm packages, 0.08 % are judged secret and 0.33 % unsure. Of random tokens
 * without a name, at most 3 % of 20 characters and 1 % of 32 are judged plain. In 114 real declarations of
 * tool servers no plain value is judged secret (`test/secrets/judge.test.ts`).
 */

/** `unsure`: stored as a secret unless the user says otherwise. */
export type Verdict = 'secret' | 'unsure' | 'plain'

/** Min characters of random runs for `secret` and for `unsure`. */
const minRandomLength = 16
const minDoubtfulLength = 8
/** Bits per character. */
const minHexEntropy = 3
const minEntropy = 3.5
/** Max average length of runs of one character class: longer in words, 1.5 in random letters and digits. */
const maxChunkLength = 2.6
const maxChunkLengthOfLong = 4.5
/** Min share of rare letter pairs in a run that is not a word. A random run has 0.52. */
const maxRarePairs = 0.34
const maxRarePairsOfLong = 0.25

/** `name`: the option, variable, header, key or query field with this value; null if there is none. */
export const judgeSecret = (value: string, name: string | null = null): Verdict => {
  if (value === '' || isReference(value)) return 'plain'
  if (hasKnownForm(value)) return 'secret'
  // `CONTEXT_TOKENS=8000` is a number of tokens.
  if (name !== null && /^\d+$/.test(value) && splitName(name).at(-1) === 'tokens') return 'plain'
  if (name !== null && isSecretName(name)) return judgeNamed(value)
  if (isPath(value)) return 'plain'
  const isId = name !== null && isIdName(name)
  if (isId && /^[0-9a-f]{7,64}$/.test(value)) return 'plain'
  if (uuid.test(value)) return isId ? 'plain' : 'unsure'
  const form = judgeForm(value)
  // Ids of documents and projects look like keys, and some do grant access.
  return form === 'secret' && isId ? 'unsure' : form
}

/** Judges a value whose name suggests a secret. */
const judgeNamed = (value: string): Verdict => {
  if (noSecret.test(value) || isPath(value)) return 'plain'
  if (/^[A-Za-z]+(?:[ _.-][A-Za-z]+)*$/.test(value) && getRuns(value).every((run) => !isRandomRun(run)))
    return value.length > maxWordsLength ? 'secret' : 'unsure'
  return 'secret'
}

/** A longer sequence of words (in characters) is a passphrase. */
const maxWordsLength = 24

/** Values that are not secret even with such a name. */
const noSecret =
  /^(?:\d|true|false|yes|no|on|off|none|null|undefined|auto|required|optional|basic|bearer|digest|oauth2?|oidc|jwt|env|keyring|stdin|prompt)$/i

/** Resolved when the server starts: `${VAR}`, `$VAR`, `%VAR%`, `{{input}}`, `<your key>`. */
const isReference = (value: string): boolean =>
  /^(?:\$\{[^{}]{1,1000}\}|\$[A-Za-z_]\w{0,200}|%[A-Za-z_]\w{0,200}%|\{\{[^{}]{1,200}\}\}|<[^<>]{1,200}>)$/.test(
    value,
  ) && !/:-/.test(value)

const splitWords = (words: string): readonly string[] => words.trim().split(/\s+/)

const prefixes = splitWords(`
  ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- dckr_pat_ sk- sk_ rk_ pk_live_
  pk_test_ whsec_ xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- AIza ya29. GOCSPX- npm_
  pypi- hf_ r8_ dop_v1_ doo_v1_ SG. shpat_ shpss_ shpca_ lin_api_ lin_oauth_ ntn_ secret_ figd_ tvly-
  fc- sntrys_ sntryu_ phx_ phc_ gsk_ xai- pplx- nvapi- key- lsv2_ sbp_ sb_secret_ CFPAT- ATATT3 ATCTT3
  EAAC EAAG NRAK- glsa_ AQ.Ab BSA apify_api_ PMAK- rnd_ hvs. dp.pt. dp.st. pscale_ ops_eyJ syt_ napi_
  pat-na1- pat-eu1- cf- e2b_ smithery_ ctx7sk- fw_ jina_ AGE-SECRET-KEY- vcp_
`)

/** The rest after the prefix must look generated, because `sk-learn-server` starts with a prefix too. */
const hasKnownForm = (value: string): boolean => {
  if (/^-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(value)) return true
  if (/^(?:AKIA|ASIA)[A-Z0-9]{12,128}$/.test(value)) return true
  if (value.startsWith('eyJ') && value.split('.').filter((part) => /^[\w-]{8,}$/.test(part)).length > 1)
    return true
  if (/^(?:bot)?\d{6,12}:[\w-]{30,50}$/.test(value)) return true
  const prefix = prefixes.find((candidate) => value.startsWith(candidate))
  if (prefix === undefined) return false
  const rest = value.slice(prefix.length)
  if (rest.length < minDoubtfulLength || !/^[\w.=+/-]+$/.test(rest)) return false
  return getRuns(rest).some(isRandomRun) || (/^[A-Za-z\d]+$/.test(rest) && /\d/.test(rest))
}

/** Splits a name into words: `API_KEY`, `apiKey`, `--api-key` and `X-Api-Key` are equal. */
const splitName = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)

const secretWords = new Set(
  splitWords(`
  token tokens key keys pat secret secrets password passwords passwd pwd pass passphrase passcode pin
  bearer auth authorization credential credentials cred creds cookie cookies jwt sig signature apikey
  authtoken accesskey sas secretkey privatekey apitoken accesstoken bottoken authkey usertoken
  webhook
`),
)
/** Last words of names that describe a property of a secret. */
const harmlessEnds = new Set(
  splitWords(`
  mode type url uri endpoint file path dir folder name id ids method provider server host port enabled
  disabled timeout ttl expiry limit max min count length size algorithm alg scheme format prefix store
  cache env var variable audience issuer scope scopes region version required stdin
`),
)
const harmlessBegins = new Set(
  splitWords(`
  max min num public primary partition sort foreign hot no disable skip enable use with cache index
  group order shift known
`),
)

export const isSecretName = (name: string): boolean => {
  const words = splitName(name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  // `-k`, but not `--top-k`.
  if (words.length === 1 && first === 'k') return true
  return words.some((word) => secretWords.has(word)) && !harmlessEnds.has(last) && !harmlessBegins.has(first)
}

const isIdName = (name: string): boolean =>
  /^(?:ids?|uuid|guid|tenant|project|org|organization|account|workspace|team|database|sha|rev|ref|commit|digest)$/.test(
    splitName(name).at(-1) ?? '',
  )

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Returns whether the value is a path. With mostly random segments it is not, because base64 contains slashes
 * too.
 */
const isPath = (value: string): boolean => {
  if (!/^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/.test(value) && !/^[\w.-]+(?:\/[\w.-]+)*\.[a-z]{1,5}$/.test(value))
    return false
  const segments = value.split(/[\\/]/).filter(Boolean)
  if (segments.some(hasKnownForm)) return false
  const random = segments.filter((segment) => getRuns(segment).some(isRandomRun)).length
  return random === 0 || random * 2 < segments.length
}

/** Removes hashes of commits and images, with or without a preceding name. */
const withoutDigests = (value: string): string =>
  value
    .replace(/\bsha(?:1|256|384|512)[:-][\w+/=]{7,128}/g, '')
    .replace(/(?<=[\w.)][#@])[0-9a-f]{7,40}(?![\w-])/g, '')

/** Judges a value by its form alone. */
const judgeForm = (value: string): Verdict => {
  const random = getRuns(withoutDigests(value)).filter(isRandomRun).join('')
  if (random.length < minDoubtfulLength) return 'plain'
  // 40 hex digits are as often a commit as a key.
  if (random.length < minRandomLength || /^[0-9a-f]{40}$/.test(value)) return 'unsure'
  return getEntropy(random) >= (/^[0-9a-f]+$/i.test(random) ? minHexEntropy : minEntropy)
    ? 'secret'
    : 'unsure'
}

/** Runs of letters and digits. */
const getRuns = (text: string): readonly string[] => text.match(/[A-Za-z\d]+/g) ?? []

/** Linear: each character belongs to one chunk. */
const isRandomRun = (run: string): boolean => {
  if (run.length < minDoubtfulLength || /^\d+$/.test(run)) return false
  if (run.length >= minRandomLength && /^[\da-f]+$/i.test(run) && /\d/.test(run)) return true
  const chunks = run.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  const numbers = chunks.filter((chunk) => /\d/.test(chunk)).length
  const maxChunk = run.length >= minRandomLength && numbers > 1 ? maxChunkLengthOfLong : maxChunkLength
  if (chunks.length > 2 && run.length / chunks.length < maxChunk) return true
  const pairs = chunks.filter((chunk) => !/^(?:\d+|[A-Z]{1,4})$/.test(chunk)).flatMap(getPairs)
  const rareShare = pairs.filter(isRare).length / pairs.length
  return (
    pairs.length >= 4 && rareShare >= (pairs.length < minRandomLength ? maxRarePairs : maxRarePairsOfLong)
  )
}

const getPairs = (word: string): readonly string[] =>
  [...word.toLowerCase()].slice(1).map((letter, n) => (word[n] ?? '').toLowerCase() + letter)

/** Letters that commonly follow each letter in English words. */
const followers: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvwxyz',
  b: 'aegijlorsuy',
  c: 'acehiklorstuy',
  d: 'abdefgilmoprsuy',
  f: 'aefilortuy',
  e: 'abcdefghiklmnopqrstuvwxy',
  g: 'aeghilnorstu',
  h: 'aeilmortu',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeins',
  l: 'acdeiklopstuvy',
  m: 'abeilmopsuy',
  n: 'abcdefghiklmnoprstuvy',
  p: 'aehiloprstu',
  q: 'u',
  o: 'abcdefgiklmnoprstuvwxy',
  r: 'abcdefgiklmnoprstuvy',
  s: 'acefhiklmnopstuwy',
  t: 'acdefhilmnoprstuwy',
  u: 'abcdefgilmnprst',
  v: 'aeio',
  w: 'aehinors',
  x: 'ceipt',
  y: 'aceilmnopst',
  z: 'aeio',
}
const isRare = ([first = '', second = '']: string): boolean => !followers[first]?.includes(second)

/** Shannon entropy in bits per character. */
const getEntropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0)
}

/** Min length of a secret that is masked in all texts. */
export const minMaskedLength = 8

/**
 * Returns whether to mask the secret in all texts. A word or a short text would hide ordinary words as well.
 */
export const isMaskedAnywhere = (secret: string): boolean =>
  secret.length >= minMaskedLength && !/^\d{1,11}$/.test(secret) && !isWordLike(secret)

/**
 * Returns whether the text is a single word, as in names of tools or settings: `weather`, `Production`,
 * `localhost`.
 */
const isWordLike = (text: string): boolean =>
  /^(?:[A-Za-z]?[a-z]{1,15}|[A-Z]{1,16})$/.test(text) && !isRandomRun(text)
