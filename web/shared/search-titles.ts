/** The names of the search providers. They are the same in every language. */
const titles: Readonly<Record<string, string>> = {
  wikipedia: 'Wikipedia',
  searxng: 'SearXNG',
  brave: 'Brave Search',
  tavily: 'Tavily',
  exa: 'Exa',
  ollama: 'Ollama',
}

export const searchTitle = (provider: string): string =>
  Object.hasOwn(titles, provider) ? (titles[provider] ?? provider) : provider
