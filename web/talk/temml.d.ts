/** The used part of Temml, whose own types are not found because of their place in its `exports`. */
declare module 'temml' {
  interface Options {
    readonly displayMode?: boolean
    readonly wrap?: 'none' | 'tex' | '='
    readonly throwOnError?: boolean
    readonly trust?: boolean
    readonly maxExpand?: number
    readonly maxSize?: readonly [number, number]
  }
  const temml: { readonly renderToString: (tex: string, options?: Options) => string }
  // biome-ignore lint/style/noDefaultExport: that is the package's only export
  export default temml
}
