/** An EPUB book and a PDF with a form. */
import type { ZipEntry } from './zip.ts'

const chapter = (body: string): string => `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><link rel="stylesheet" href="s.css"/><style>p { color: red }</style><script>alert('nie')</script></head><body>${body}</body></html>`

/**
 * The reading order differs from the order of the manifest, a name contains a space, and the font is
 * obfuscated as bookshops do.
 */
export const novelEpub: readonly ZipEntry[] = [
  { name: 'mimetype', bytes: 'application/epub+zip', stored: true },
  {
    name: 'META-INF/container.xml',
    bytes:
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  },
  {
    name: 'META-INF/encryption.xml',
    bytes:
      '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><enc:CipherData><enc:CipherReference URI="OEBPS/font.otf"/></enc:CipherData></enc:EncryptedData></encryption>',
  },
  {
    name: 'OEBPS/book.opf',
    bytes:
      '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Die Möwe</dc:title><dc:creator>Änne Groß</dc:creator><dc:language>de</dc:language></metadata><manifest><item id="two" href="text/part%202.xhtml" media-type="application/xhtml+xml"/><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="font" href="font.otf" media-type="font/otf"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
  },
  {
    name: 'OEBPS/text/part 2.xhtml',
    bytes: chapter(
      '<h2>Zweites\nKapitel</h2><pre>Zeile 1\n  Zeile 2</pre><p>Schl&uuml;ss<br/>mit&nbsp;&hellip;<a id="x"/></p>',
    ),
  },
  {
    name: 'OEBPS/text/one.xhtml',
    bytes: chapter(
      '<h1>Am <em>Meer</em></h1>\n<p>Es war   grau,\n und die M&#246;we <b>rief</b>.</p><ol><li>Wind</li><li><p>Wellen</p><ul><li>hohe</li></ul></li></ol><table><tr><th>Tag</th><th>Höhe</th></tr><tr><td>Mo</td><td>2&nbsp;m</td></tr></table><svg><text>nie</text></svg>Ende',
    ),
  },
  { name: 'OEBPS/font.otf', bytes: Buffer.from([1, 2, 3]) },
]

/** Numbers the objects from 1 and builds the cross-reference table. */
export const pdf = (objects: readonly (string | Buffer)[], trailer = '/Root 1 0 R'): Buffer => {
  let offset = 15
  const places: number[] = []
  const bodies = objects.map((object, index) => {
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as Uint8Array),
      Buffer.from('\nendobj\n'),
    ])
    places.push(offset)
    offset += bytes.length
    return bytes
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\n', 'latin1').subarray(0, 15),
    ...bodies,
    Buffer.from(end),
  ])
}

export const stream = (content: string | Buffer, dictionary = ''): Buffer => {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1')
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

/** A form with values: they are in its fields and not in the page content. */
export const formPdf = pdf([
  '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf) >> >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R] >>',
  stream(
    'BT /F1 12 Tf 72 800 Td (Antrag für Bäume) Tj 0 -40 Td (Straße) Tj 200 0 Td (Größe) Tj -200 -20 Td (Müllerweg) Tj 200 0 Td (3 m) Tj ET',
  ),
  font,
  '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (J\\366rg Wei\\337) /Rect [72 600 300 620] /DA (/F1 12 Tf) >>',
  '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Leer) /Rect [72 560 300 580] /DA (/F1 12 Tf) >>',
])

/**
 * Builds the first bytes of a picture in a video container (ISO BMFF): its brands, then the list of its
 * contents.
 */
export const brandedPicture = (first: string, ...otherBrands: readonly string[]): Buffer => {
  const brands = Buffer.from(`ftyp${first}\0\0\0\0${otherBrands.join('')}`, 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(brands.length + 4)
  return Buffer.concat([
    size,
    brands,
    Buffer.from('\0\0\0\x0emeta\0\0\0\0\0\0', 'latin1'),
    Buffer.alloc(64, 7),
  ])
}

/** As written by an iPhone. */
export const phonePicture = brandedPicture('heic', 'mif1', 'MiHE', 'miaf', 'heic')
