/** The part of the DOM interface that is used here. */
export interface PageNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly parentNode: PageNode | null
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): Iterable<PageNode>
}

export interface PageDocument extends PageNode {
  readonly documentElement: PageNode | null
}
