/** Measures what tracing costs: a traced place while it is off, and appends while it is on. */
import { openTracing } from '../packages/kit/tracing/open-tracing.ts'
import { readOtlpSettings } from '../packages/kit/tracing/otlp-settings.ts'
import { currentPlace, inSpan } from '../packages/kit/tracing/tracing.ts'
import { createCollector } from '../test/stand-ins/collector.ts'
import { inFolder, throughGate } from './append.ts'
import { type Figure, median } from './figure.ts'

const rounds = 5
const writers = 16
const calls = 2_000_000

export const tracing = async (): Promise<readonly Figure[]> => [measureOff(), await measureOn()]

const measureOff = (): Figure => {
  let sum = 0
  const add = () => {
    sum++
  }
  const time = (work: () => void): number => {
    const start = performance.now()
    for (let n = 0; n < calls; n++) work()
    return ((performance.now() - start) / calls) * 1e6
  }
  const plain: number[] = []
  const traced: number[] = []
  for (let n = 0; n < rounds; n++) {
    plain.push(time(add))
    traced.push(time(() => currentPlace() ?? inSpan({ name: 'bench' }, add)))
  }
  return {
    label: 'a traced call while tracing is off',
    value: median(traced),
    unit: 'ns',
    baseline: { label: 'the call itself', value: median(plain) },
    goal: '< 100 ns',
    isMet: sum > 0 && median(traced) < 100,
  }
}

const measureOn = async (): Promise<Figure> => {
  const collector = await createCollector()
  const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  if (!settings) throw new Error('tracing is off')
  const log = { warn: () => {}, info: () => {}, hide: () => {}, mask: (text: string) => text }
  const plain: number[] = []
  const traced: number[] = []
  // Alternates, so that a slowdown of the machine affects both.
  for (let n = 0; n < rounds; n++) {
    plain.push(await inFolder((folder) => throughGate(folder, writers)))
    const { close } = openTracing({ settings, log, env: {} })
    traced.push(await inFolder((folder) => throughGate(folder, writers)))
    await close()
  }
  await collector.close()
  return {
    label: `synced appends with tracing on, ${writers} writers, one persona`,
    value: median(traced),
    unit: '/s',
    baseline: { label: 'without tracing', value: median(plain) },
    goal: '≥ 0.3 × without',
    isMet: median(traced) >= 0.3 * median(plain),
  }
}
