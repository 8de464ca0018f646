/** A Word document, an Excel workbook and a PowerPoint presentation, part by part. */
import type { ZipEntry } from './zip.ts'

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const part = (name: string, markup: string): ZipEntry => ({ name, bytes: xmlDeclaration + markup })

const documentNamespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"'
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(
      ([id, type, target]) => `<Relationship Id="${id}" Type="${relationType}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const contentTypes = (...overrides: readonly (readonly [name: string, type: string])[]): ZipEntry =>
  part(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides
      .map(
        ([name, type]) =>
          `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
      )
      .join('')}</Types>`,
  )

const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string =>
  `<w:p w:rsidR="00A1"><w:pPr>${properties}</w:pPr>${content}</w:p>`
const cell = (content: string): string =>
  `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${content}</w:tc>`
const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((text) => cell(paragraph(run(text)))).join('')}</w:tr>`
const item = (text: string, list: number, level: number): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)

const textBox = `<w:txbxContent>${paragraph(run('Am Rand: bitte bis Freitag'))}</w:txbxContent>`

/**
 * From a German Word: style ids are German, style names are not. A text box occurs twice, for old and new
 * programs.
 */
export const letterDocx: readonly ZipEntry[] = [
  contentTypes(
    ['/word/document2.xml', 'wordprocessingml.document.main'],
    ['/word/styles.xml', 'wordprocessingml.styles'],
    ['/word/numbering.xml', 'wordprocessingml.numbering'],
    ['/word/footnotes.xml', 'wordprocessingml.footnotes'],
    ['/word/endnotes.xml', 'wordprocessingml.endnotes'],
    ['/word/header1.xml', 'wordprocessingml.header'],
    ['/word/header2.xml', 'wordprocessingml.header'],
    ['/word/footer1.xml', 'wordprocessingml.footer'],
  ),
  part('_rels/.rels', relations(['rId1', 'officeDocument', 'word/document2.xml'])),
  part(
    'word/_rels/document2.xml.rels',
    relations(
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'numbering', 'numbering.xml'],
      ['rId3', 'footnotes', 'footnotes.xml'],
      ['rId4', 'endnotes', 'endnotes.xml'],
      ['rId5', 'header', '/word/header1.xml'],
      ['rId6', 'header', 'header2.xml'],
      ['rId7', 'footer', 'footer1.xml'],
    ).replace(
      '</Relationships>',
      `<Relationship Id="rId8" Type="${relationType}/hyperlink" Target="https://example.org/" TargetMode="External"/></Relationships>`,
    ),
  ),
  part(
    'word/document2.xml',
    `<w:document ${documentNamespaces}><w:body>
${paragraph(run('Mietvertrag'), '<w:pStyle w:val="Titel"/>')}
${paragraph(run('Über die Wohnung'), '<w:pStyle w:val="berschrift1"/>')}
${paragraph(`${run('Grö') + run('ße: 62 m²', '<w:b/>') + run(' &amp; Keller')}<w:r><w:tab/><w:t>4 m²</w:t></w:r>`, '<w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs>')}
${paragraph(
  run('Es gilt ') +
    `<w:del w:id="1" w:author="J"><w:r><w:delText>das Alte</w:delText></w:r></w:del><w:ins w:id="2" w:author="J">${run('das Neue')}</w:ins>` +
    '<w:r><w:footnoteReference w:id="7"/></w:r>' +
    run(' und mehr') +
    '<w:r><w:endnoteReference w:id="3"/></w:r>' +
    run('.'),
)}
${item('Miete', 5, 0)}
${item('Kaltmiete', 5, 1)}
${item('Nebenkosten', 5, 1)}
${item('Kaution', 5, 0)}
${item('Schlüssel', 6, 0)}
${item('Von vorn', 7, 0)}
${item('Und weiter', 7, 0)}
${paragraph(
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>${textBox}</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>${textBox}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>` +
    run('Siehe ') +
    `<w:hyperlink r:id="rId8">${run('die Seite')}</w:hyperlink>` +
    run(' dazu.'),
)}
<w:tbl><w:tblPr/><w:tblGrid/>${row('Posten', 'Betrag')}${row('Kalt', '610,00 €')}<w:tr>${cell(paragraph(run('Warm')))}${cell(
      `${paragraph(run('750,00 €'))}<w:tbl>${row('Heizung', '90')}${row('Wasser', '50')}</w:tbl>${paragraph('')}`,
    )}</w:tr></w:tbl>
${paragraph(`${run('Köln,')}<w:r><w:br/><w:t>im März</w:t></w:r>`)}
<w:sectPr><w:headerReference w:type="default" r:id="rId5"/><w:headerReference w:type="first" r:id="rId6"/><w:footerReference w:type="default" r:id="rId7"/></w:sectPr></w:body></w:document>`,
  ),
  part(
    'word/styles.xml',
    `<w:styles ${documentNamespaces}><w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`,
  ),
  part(
    'word/numbering.xml',
    `<w:numbering ${documentNamespaces}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="§ %1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>
<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="7"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="6"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
  ),
  part(
    'word/footnotes.xml',
    `<w:footnotes ${documentNamespaces}><w:footnote w:type="separator" w:id="-1">${paragraph('<w:r><w:separator/></w:r>')}</w:footnote><w:footnote w:id="7">${paragraph(run(' Stand 2026.'))}</w:footnote></w:footnotes>`,
  ),
  part(
    'word/endnotes.xml',
    `<w:endnotes ${documentNamespaces}><w:endnote w:id="3">${paragraph(run('Siehe Anhang.'))}</w:endnote></w:endnotes>`,
  ),
  part('word/header1.xml', `<w:hdr ${documentNamespaces}>${paragraph(run('Hausverwaltung Müßig'))}</w:hdr>`),
  part('word/header2.xml', `<w:hdr ${documentNamespaces}>${paragraph(run('Hausverwaltung Müßig'))}</w:hdr>`),
  part(
    'word/footer1.xml',
    `<w:ftr ${documentNamespaces}>${paragraph(`${run('Seite ')}<w:fldSimple w:instr=" PAGE ">${run('1')}</w:fldSimple>`)}</w:ftr>`,
  ),
]

const sheetNamespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relationType}"`

/** Uses the 1904 date system of old Macs. The sheets are in another order than their parts. */
export const ledgerXlsx: readonly ZipEntry[] = [
  contentTypes(
    ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
    ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
    ['/xl/worksheets/sheet2.xml', 'spreadsheetml.worksheet'],
    ['/xl/styles.xml', 'spreadsheetml.styles'],
    ['/xl/sharedStrings.xml', 'spreadsheetml.sharedStrings'],
  ),
  part('_rels/.rels', relations(['rId1', 'officeDocument', 'xl/workbook.xml'])),
  part(
    'xl/workbook.xml',
    `<workbook ${sheetNamespaces}><workbookPr date1904="1"/><sheets><sheet name="Zweiter zuerst" sheetId="2" r:id="rId2"/><sheet name="Büro &amp; Haus" sheetId="1" state="hidden" r:id="rId1"/></sheets></workbook>`,
  ),
  part(
    'xl/_rels/workbook.xml.rels',
    relations(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'styles', 'styles.xml'],
      ['rId4', 'sharedStrings', 'sharedStrings.xml'],
    ),
  ),
  part(
    'xl/styles.xml',
    `<styleSheet ${sheetNamespaces}><numFmts count="4"><numFmt numFmtId="164" formatCode="[$-407]d/\\ mmmm\\ yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;days &amp; €&quot;;[Red]\\-#,##0.00"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/><numFmt numFmtId="167" formatCode="mm:ss.0"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="7"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="167"/></cellXfs></styleSheet>`,
  ),
  part(
    'xl/sharedStrings.xml',
    `<sst ${sheetNamespaces} count="3" uniqueCount="3"><si><t>Gebühr</t></si><si><r><t xml:space="preserve">Große </t></r><r><rPr><b/></rPr><t>Straße</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>`,
  ),
  part(
    'xl/worksheets/sheet1.xml',
    `<worksheet ${sheetNamespaces}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2"><v>12.5</v></c></row></sheetData></worksheet>`,
  ),
  part(
    'xl/worksheets/sheet2.xml',
    `<worksheet ${sheetNamespaces}><sheetData>
<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>innen | außen</t></is></c></row>
<row r="2"><c r="A2" s="1"><v>43101</v></c><c r="B2" s="4"><v>43101.5</v></c><c r="C2" s="3"><v>1.5</v></c><c r="D2" s="5"><f>1/8</f><v>0.125</v></c><c r="E2" s="6"><v>0.5</v></c></row>
<row r="3"/><row r="4"><c r="A4"><f>0.1+0.2</f><v>0.30000000000000004</v></c><c r="B4" t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c r="C4" t="e"><v>#DIV/0!</v></c><c r="D4" t="b"><v>1</v></c><c r="ZZ4"><v>1E+21</v></c></row>
</sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Kassenbuch&amp;RSeite &amp;P</oddHeader></headerFooter></worksheet>`,
  ),
]

const slideNamespaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${relationType}"`

const shape = (place: string, ...lines: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${place && `<p:ph type="${place}"/>`}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${lines
    .map((line) => {
      const level = /^ */.exec(line)?.[0].length ?? 0
      return `<a:p><a:pPr lvl="${level}"/><a:r><a:rPr lang="de-DE"/><a:t>${line.trim()}</a:t></a:r></a:p>`
    })
    .join('')}</p:txBody></p:sp>`

const tree = (content: string): string =>
  `<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${content}</p:spTree></p:cSld>`

const slideTable = (...rows: readonly (readonly string[])[]): string =>
  `<p:graphicFrame><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid/>${rows
    .map(
      (cells) =>
        `<a:tr h="1">${cells.map((text) => `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`,
    )
    .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`

/** The second slide is shown first. */
export const talkPptx: readonly ZipEntry[] = [
  contentTypes(
    ['/ppt/presentation.xml', 'presentationml.presentation.main'],
    ['/ppt/slides/slide1.xml', 'presentationml.slide'],
    ['/ppt/slides/slide2.xml', 'presentationml.slide'],
    ['/ppt/notesSlides/notesSlide1.xml', 'presentationml.notesSlide'],
  ),
  part('_rels/.rels', relations(['rId1', 'officeDocument', 'ppt/presentation.xml'])),
  part(
    'ppt/presentation.xml',
    `<p:presentation ${slideNamespaces}><p:sldIdLst><p:sldId id="257" r:id="rId3"/><p:sldId id="256" r:id="rId2"/></p:sldIdLst></p:presentation>`,
  ),
  part(
    'ppt/_rels/presentation.xml.rels',
    relations(['rId2', 'slide', 'slides/slide1.xml'], ['rId3', 'slide', 'slides/slide2.xml']),
  ),
  part(
    'ppt/slides/slide1.xml',
    `<p:sld ${slideNamespaces}>${tree(
      shape('title', 'Zahlen') +
        slideTable(['Jahr', 'Bäume'], ['2025', '17']) +
        shape('sldNum', '2') +
        shape('ftr', 'Verein für Straßenbäume'),
    )}</p:sld>`,
  ),
  part(
    'ppt/slides/slide2.xml',
    `<p:sld ${slideNamespaces}>${tree(`${shape('ctrTitle', 'Grüne Straßen')}<p:grpSp>${shape('', 'Warum?', ' Schatten', ' Kühle')}</p:grpSp>`)}</p:sld>`,
  ),
  part(
    'ppt/slides/_rels/slide2.xml.rels',
    relations(['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']),
  ),
  part(
    'ppt/notesSlides/notesSlide1.xml',
    `<p:notes ${slideNamespaces}>${tree(shape('sldImg') + shape('body', 'Mit der Hitze beginnen.') + shape('sldNum', '1'))}</p:notes>`,
  ),
]
