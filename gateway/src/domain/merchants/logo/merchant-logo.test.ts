import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { LOGO_READER } from './merchant-logo.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8 + named.length);
  framed.writeUInt32BE(data.length);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), 4 + named.length);
  return framed;
}

interface Png {
  readonly width?: number;
  readonly height?: number;
  readonly colourType?: number;
  readonly interlace?: number;
  readonly pixels?: Buffer;
  readonly more?: readonly Buffer[];
}

/** A picture of true colour, 8 bits, with the given chunks between header and pixels. */
function png({ width = 2, height = 2, colourType = 2, interlace = 0, pixels, more = [] }: Png = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType, 0, 0, interlace], 8);
  const lines = pixels ?? Buffer.alloc(height * (1 + width * 3));
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...more, chunk('IDAT', deflateSync(lines)), end]);
}

const readPng = (bytes: Buffer) => LOGO_READER.read(`data:image/png;base64,${bytes.toString('base64')}`);
const readSvg = (text: string) => LOGO_READER.read(`data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`);

describe('a logo as a PNG', () => {
  it('a PNG logo is re-encoded without text, times and trailing data', () => {
    const text = chunk('tEXt', Buffer.from('Author\0planted'));
    const logo = readPng(Buffer.concat([png({ more: [text] }), Buffer.from('<script>planted</script>')]));
    assert.ok(logo);
    assert.equal(logo.contentType, 'image/png');
    assert.ok(!logo.body.includes('planted'));
    assert.deepEqual(readPng(logo.body)?.body, logo.body, 'the written picture is a picture');
  });

  it('a PNG logo keeps its pixels, palette and transparency', () => {
    const pixels = Buffer.from([0, 1, 0, 1, 0, 1]);
    const more = [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])), chunk('tRNS', Buffer.from([0, 255]))];
    const logo = readPng(png({ colourType: 3, pixels, more }));
    assert.ok(logo);
    const at = logo.body.indexOf('IDAT');
    assert.deepEqual(inflateSync(logo.body.subarray(at + 4, at + 4 + logo.body.readUInt32BE(at - 4))), pixels);
    for (const part of more) assert.ok(logo.body.includes(part));
  });

  it('a PNG logo that is broken, too large, interlaced or longer than its size is rejected', () => {
    const right = png();
    const broken: Record<string, Buffer> = {
      'cut off': right.subarray(0, -1),
      'with a wrong checksum': Buffer.concat([right.subarray(0, 30), Buffer.from([9]), right.subarray(31)]),
      'wider than 512': png({ width: 513 }),
      'without height': png({ height: 0 }),
      interlaced: png({ interlace: 1 }),
      'with too many pixels': png({ pixels: Buffer.alloc(1_000_000) }),
      'with too few pixels': png({ pixels: Buffer.alloc(3) }),
      'with a filter that does not exist': png({ pixels: Buffer.alloc(14, 5) }),
      'without its palette': png({ colourType: 3, pixels: Buffer.alloc(6) }),
      'of another format': Buffer.from('GIF89a'),
    };
    for (const [name, bytes] of Object.entries(broken)) assert.equal(readPng(bytes), undefined, name);
  });

  it('the PNG reader does not throw on random bytes inserted into a PNG', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(60), (noise, at) => {
        const right = png();
        readPng(Buffer.concat([right.subarray(0, at), noise, right.subarray(at)]));
      }),
      { numRuns: 200, seed: 20 },
    );
  });
});

const SHAPES =
  '<g fill="#0b5c56"><path d="M0 0L9-9z" transform="rotate(45 1 1)"/><circle cx="1" cy="1" r="1"></circle></g>';
const svg = (inside: string, attributes = 'viewBox="0 0 10 10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

describe('a logo as an SVG', () => {
  it('an SVG logo is rewritten with its shapes only', () => {
    const noise = '<?xml version="1.0"?>\n<!-- Made by a program -->';
    const logo = readSvg(
      `${noise}${svg(`<title>Nova &amp; Co</title><metadata><x:y a="b">z</x:y></metadata>${SHAPES}`, 'viewBox="0 0 10 10" inkscape:version="1" id="logo"')}`,
    );
    assert.equal(
      logo?.body.toString(),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" id="logo">${SHAPES}</svg>`,
    );
    assert.match(logo.name, /^[\da-f]{16}\.svg$/);
  });

  it('an SVG logo with scripts, external references or styles is rejected', () => {
    const hostile: Record<string, string> = {
      'a script': svg('<script>alert(1)</script>'),
      'a handler': svg('<path d="M0 0" onload="alert(1)"/>'),
      'a handler at the root': svg(SHAPES, 'viewBox="0 0 1 1" onload="alert(1)"'),
      'a style': svg('<style>@import url(https://evil.example)</style>'),
      'a style attribute': svg('<path style="fill:url(https://evil.example)"/>'),
      'a foreign address': svg('<path fill="url(https://evil.example/a)"/>'),
      'an image': svg('<image href="https://evil.example/a.png"/>'),
      'a use': svg('<use href="#a"/>'),
      'a link': svg('<a href="javascript:alert(1)"><path/></a>'),
      'foreign markup': svg('<foreignObject><body/></foreignObject>'),
      'an animation': svg('<animate attributeName="href" values="javascript:alert(1)"/>'),
      text: svg('<text>Nova</text>'),
      'loose text': svg('Nova'),
      'a document type': `<!DOCTYPE svg [<!ENTITY a "b">]>${svg(SHAPES)}`,
      'an entity': svg('<path d="&a;"/>'),
      CDATA: svg('<![CDATA[<script>]]>'),
      'an instruction': `<?xml-stylesheet href="a.css"?>${svg(SHAPES)}`,
      'two roots': svg(SHAPES) + svg(SHAPES),
      'a root within': svg(svg(SHAPES)),
      'an open element': `<svg viewBox="0 0 1 1"><g>`,
      'crossed elements': '<svg viewBox="0 0 1 1"><g></svg></g>',
      'no size': svg(SHAPES, ''),
      'no picture': 'Nova',
    };
    for (const [name, text] of Object.entries(hostile)) assert.equal(readSvg(text), undefined, name);
  });

  it('a logo of another type, above the size limit or without a data URL is rejected', () => {
    for (const text of [
      '',
      'https://shop.example/logo.svg',
      'data:image/gif;base64,R0lGODlh',
      'data:image/svg+xml,<svg/>',
    ])
      assert.equal(LOGO_READER.read(text), undefined, text);
    assert.equal(readSvg(svg(`<path d="${'M0 0'.repeat(7_000)}"/>`)), undefined);
  });
});
