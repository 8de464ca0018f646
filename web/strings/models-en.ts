/** The texts about models on this machine in English. */
const steps: Readonly<Record<string, string>> = {
  waiting: 'Waits for another download',
  starting: 'Starting',
  'installing the runtime': 'Installing the program for models',
  'looking for the file': 'Looking for the file',
  downloading: 'Downloading',
  verifying: 'Checking',
  'waking the model': 'Loading the model',
  'testing the model': 'Testing the model',
}

export type ModelStrings = typeof text

export const text = {
  lead: 'The models on this machine. They are shared by all personas, and nothing that you say to them leaves it.',
  none: 'No model is installed yet.',
  engine: { ollama: 'in Ollama', runtime: 'in Daimon' },
  kind: { mind: 'language model', embedder: 'search by meaning' },
  search: 'the search',
  usedBy: (names: readonly string[]): string =>
    names.length === 0 ? 'not used' : `used by ${names.join(', ')}`,
  inMemory: (size: string, startTime: string, until: string | null): string =>
    `In memory since ${startTime}${size ? `, ${size}` : ''}. ${until === null ? 'It is in use.' : `Without a message it is unloaded at ${until}.`}`,
  isLoading: 'It is being loaded.',
  server: (url: string, models: readonly string[]): string =>
    `${url}: ${models.length === 0 ? 'no model loaded' : models.join(', ')}`,
  gpu: 'Graphics card',
  noGpu: 'Use the processor only',
  gpuName: { none: '', cuda: 'CUDA (NVIDIA)', vulkan: 'Vulkan' },
  gpuSize: (name: string, size: string): string => `${name}, ${size} more`,
  gpuHint: 'The models in Daimon are faster on a graphics card. It needs a driver that is installed already.',
  more: 'To download',
  withSearch: (size: string): string => `With search by meaning (${size} more)`,
  receiver: 'Use a downloaded model for',
  noReceiver: 'No persona yet',
  suggested: 'fits this machine best',
  tooLarge: 'needs more memory than this machine has',
  get: 'Download',
  getOne: (model: string): string => `Download ${model}`,
  starting: { doing: 'Starting the download…', done: 'The download has started.' },
  remove: 'Remove',
  removeOne: (model: string): string => `Remove ${model}`,
  removeWarning: 'The file is deleted. To use the model again, download it again.',
  test: 'Test',
  testOne: (model: string): string => `Test ${model}`,
  testing: { doing: 'Asking it three short questions…', done: 'Tested.' },
  tested: {
    works: 'It works and can use tools.',
    no_tools: 'It can talk but not use tools, so it learns only when it goes over the day.',
    fails: 'It does not work.',
  },
  speed: (tokens: number): string => `${Math.round(tokens)} tokens per second.`,
  testedAt: (when: string): string => `Tested ${when}:`,
  testMind: 'Test this model',
  notTested: 'Not tested yet.',
  removing: { doing: 'Removing…', done: 'Removed.' },
  cancel: 'Cancel',
  cancelOne: (model: string): string => `Cancel the download of ${model}`,
  downloading: (model: string): string => `Download of ${model}`,
  step: (status: string): string => steps[status] ?? status,
  amount: (completed: string, total: string): string => `${completed} of ${total}`,
  rate: (size: string): string => `${size}/s`,
  left: (seconds: number): string =>
    seconds < 60 ? 'less than a minute left' : `about ${Math.ceil(seconds / 60)} min left`,
  onlyRules: (name: string): string => `${name} uses the practice model, which only follows rules.`,
  getMind: (size: string): string => `Get a real model (${size}, runs on this machine, free)`,
  useMind: (model: string): string => `Use ${model}, which is on this machine`,
  failedTest: (model: string, name: string): string =>
    `${model} does not work here. ${name} keeps the practice model.`,
  tryAgain: 'Try again',
  chooseOther: 'Choose another model',
  meanwhile: (model: string, name: string): string =>
    `${model} is being downloaded. Talk to ${name} meanwhile: the change happens here by itself.`,
}
