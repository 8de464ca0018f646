/**
 * Stands in for model-runner.ts: the same messages, without node-llama-cpp. The content of the model file
 * chooses its behaviour.
 */
import { readFileSync } from 'node:fs'

const memoryBytes = 1000
let behaviour = ''
let answerCount = 0
const tell = (message) => process.send(message)
const crash = () => process.kill(process.pid, 'SIGABRT')

const answer = async ({ id, key, history, tools, schema }) => {
  const question = history.at(-1)?.text ?? ''
  if (behaviour === 'crashes') return crash()
  if (behaviour === 'crashes once' && answerCount++ === 0 && question === 'crash') return crash()
  if (behaviour === 'talks nonsense') return tell({ type: 'words', id, text: 7 })
  if (question === 'wait') return tell({ type: 'pulse', id })
  if (question === 'crash') return crash()
  if (question === 'refuse')
    return tell({ type: 'failed', id, kind: 'refused', message: 'Too long.', memoryBytes })
  if (question === 'say nothing')
    return tell({ type: 'end', id, input: 9, cached: 0, output: 5, cut: true, memoryBytes })
  const [tool] = Object.keys(tools)
  if (schema) tell({ type: 'words', id, text: '{"colour": "blue"}' })
  else if (tool) tell({ type: 'call', id, name: tool, input: { word: 'apple', more: null } })
  else
    for (const text of ['<think>hm</think>', 'You said: ', question, ` (${key})`])
      tell({ type: 'words', id, text })
  await new Promise((resolve) => setTimeout(resolve, 5))
  tell({ type: 'end', id, input: 9, cached: 4, output: 5, cut: false, memoryBytes })
}

process.on('message', (order) => {
  if (order.type === 'open') {
    behaviour = readFileSync(order.model, 'utf8').trim()
    if (behaviour === 'damaged') return crash()
    if (behaviour === 'unknown')
      return tell({
        type: 'unopened',
        kind: 'barred',
        message: 'The local model could not be loaded: unknown.',
      })
    return tell({
      type: 'opened',
      contextTokens: order.contextTokens,
      gpu: order.gpu === 'none' ? null : order.gpu,
      memoryBytes,
    })
  }
  if (order.type === 'embed')
    return tell({
      type: 'vectors',
      id: order.id,
      vectors: order.texts.map((text) => [text.length, 1]),
      tokens: 3,
      memoryBytes,
    })
  if (order.type === 'chat') void answer(order)
})
process.once('disconnect', () => process.exit())
