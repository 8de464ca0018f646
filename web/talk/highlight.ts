/** Syntax colours for code, loaded with the first code block. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = { bash, cpp, css, diff, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** Max UTF-16 units of code to colour. */
const maxUnits = 30_000
/** The same while it is streamed, because each new letter colours it again. */
const maxGrowingUnits = 6_000

/** Wraps parts of the code in spans with a class, without changing the text. */
export const colour = (code: HTMLElement, language: string, isGrowing: boolean): void => {
  const codeText = code.textContent ?? ''
  if (codeText.length > (isGrowing ? maxGrowingUnits : maxUnits) || !hljs.getLanguage(language)) return
  const { _emitter } = hljs.highlight(codeText, { language, ignoreIllegals: true })
  code.replaceChildren(...toNodes((_emitter as unknown as { rootNode: Tree }).rootNode.children))
}

interface Tree {
  readonly scope?: string
  readonly children: readonly (Tree | string)[]
}

const toNodes = (children: readonly (Tree | string)[]): readonly (Node | string)[] =>
  children.map((child) => {
    if (typeof child === 'string') return child
    const span = document.createElement('span')
    if (child.scope) span.className = `hljs-${child.scope.split('.')[0]}`
    span.append(...toNodes(child.children))
    return span
  })
