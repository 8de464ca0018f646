/** An OpenDocument text, spreadsheet and presentation, part by part. */
import type { ZipEntry } from './zip.ts'

const kind = 'application/vnd.oasis.opendocument.'
const names = ['office', 'style', 'text', 'table', 'draw', 'presentation', 'number', 'fo']
const namespaces = names
  .map(
    (name) =>
      `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'fo' ? 'xsl-fo-compatible' : name}:1.0"`,
  )
  .concat(
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  )
  .join(' ')

const part = (name: string, markup: string): ZipEntry => ({
  name,
  bytes: `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`,
})

const archive = (type: string, content: string, styles = ''): readonly ZipEntry[] => [
  { name: 'mimetype', bytes: kind + type, stored: true },
  part(
    'content.xml',
    `<office:document-content ${namespaces} office:version="1.3">${content}</office:document-content>`,
  ),
  part(
    'styles.xml',
    `<office:document-styles ${namespaces} office:version="1.3">${styles}</office:document-styles>`,
  ),
  part(
    'meta.xml',
    `<office:document-meta ${namespaces} office:version="1.3"><office:meta/></office:document-meta>`,
  ),
  part(
    'META-INF/manifest.xml',
    `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${kind}${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  ),
]

const margin = (element: string, text: string): string =>
  `<style:${element}><text:p>${text}</text:p></style:${element}>`

export const letterOdt = archive(
  'text',
  `<office:automatic-styles><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style></office:automatic-styles>
<office:body><office:text>
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><text:p>Das war einmal.</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">Reise nach Köln</text:h>
<text:p>Wir fahren
   am <text:span>Dienstag</text:span><text:s text:c="3"/>früh<text:note text:id="ftn1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Gleis 7, nicht größer.</text:p></text:note-body></text:note><office:annotation><dc:creator>Jörg</dc:creator><text:p>Stimmt das?</text:p></office:annotation> los.</text:p>
<text:list text:style-name="L1"><text:list-item><text:p>Koffer</text:p><text:list><text:list-item><text:p>Hüte</text:p></text:list-item><text:list-item><text:p>Schuhe</text:p><text:p>auch die großen</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Fahrkarten</text:p></text:list-item></text:list>
<table:table table:name="T1"><table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>Tag</text:p></table:table-cell><table:table-cell><text:p>Größe</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Montag</text:p></table:table-cell><table:table-cell><text:p>1</text:p><text:p>2</text:p></table:table-cell></table:table-row></table:table>
<text:p>Zeile eins<text:line-break/>Zeile zwei<text:tab/>mit Abstand</text:p>
</office:text></office:body>`,
  `<office:master-styles><style:master-page style:name="Standard">${margin('header', 'Reisebüro Müßig')}${margin('header-first', 'Reisebüro Müßig')}${margin('footer', 'Seite <text:page-number>1</text:page-number>')}</style:master-page></office:master-styles>`,
)

const value = (type: string, attributes: string, text: string): string =>
  `<table:table-cell office:value-type="${type}" ${attributes}><text:p>${text}</text:p></table:table-cell>`
const empty = (times: number): string => `<table:table-cell table:number-columns-repeated="${times}"/>`

/** Ends like a LibreOffice sheet: with thousands of empty cells and rows. */
export const ledgerOds = archive(
  'spreadsheet',
  `<office:body><office:spreadsheet>
<table:table table:name="Ausgaben für März"><table:table-column table:number-columns-repeated="16384"/>
<table:table-row>${value('string', '', 'Tag')}${value('string', '', 'Wofür')}${value('string', '', 'Betrag')}${empty(16381)}</table:table-row>
<table:table-row>${value('date', 'office:date-value="2026-03-01"', '01.03.')}${value('string', '', 'Äpfel<text:s/>&amp; Öl')}${value('currency', 'office:currency="EUR" office:value="3.2"', '3,20 €')}${value('boolean', 'office:boolean-value="true"', 'WAHR')}${empty(16380)}</table:table-row>
<table:table-row>${value('date', 'office:date-value="2026-03-02T14:30:00"', '02.03.')}${empty(1)}<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"><office:annotation><text:p>geschätzt</text:p></office:annotation><text:p>7</text:p></table:table-cell>${empty(16380)}</table:table-row>
<table:table-row table:number-rows-repeated="2">${value('percentage', 'office:value="0.5"', '50 %')}${empty(40)}${value('string', '', 'weit draußen')}</table:table-row>
<table:table-row table:number-rows-repeated="1048571">${empty(16384)}</table:table-row></table:table>
<table:table table:name="Leer"><table:table-row>${empty(16384)}</table:table-row></table:table>
</office:spreadsheet></office:body>`,
)

const frame = (place: string, content: string): string =>
  `<draw:frame ${place && `presentation:class="${place}"`}><draw:text-box>${content}</draw:text-box></draw:frame>`

export const talkOdp = archive(
  'presentation',
  `<office:body><office:presentation>
<draw:page draw:name="page1">${frame('title', '<text:p>Bienen im Hof</text:p>')}${frame('outline', '<text:list><text:list-item><text:p>Blüten</text:p><text:list><text:list-item><text:p>Krokus</text:p></text:list-item></text:list></text:list-item></text:list>')}${frame('page-number', '<text:p>1</text:p>')}<presentation:notes>${frame('notes', '<text:p>Vom Frühling erzählen.</text:p>')}${frame('page-number', '<text:p>1</text:p>')}</presentation:notes></draw:page>
<draw:page draw:name="page2">${frame('title', '<text:p>Ernte</text:p>')}<draw:frame><table:table><table:table-row><table:table-cell><text:p>Stock</text:p></table:table-cell><table:table-cell><text:p>Gläser</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Süd</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table></draw:frame>${frame('', '<text:p>Müde, aber glücklich</text:p>')}</draw:page>
</office:presentation></office:body>`,
)
