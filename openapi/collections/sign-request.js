// Signs a request of the merchants' interface. It needs no library, so that it runs in every tool.
function signRequest({ path, text, query, merchant, apiKey, formKey }) {
  const md5Sign = (fields, covered, key) => {
    const values = covered.filter((name) => fields[name] !== undefined).map((name) => String(fields[name]));
    return base64(md5(utf8([...values, key].join(':'))));
  };
  if (path === '/payment/form') return { text, headers: {}, query: { ...query, sign: md5Sign(query, SIGNED[path], formKey) } };
  if (path === '/api/v2/spei/host2host/create') {
    const hex = toHex(hmac(utf8(apiKey), utf8(text)));
    return { text, headers: { 'X-Merchant': merchant, 'X-Sign': base64(utf8(hex)) }, query };
  }
  if (!SIGNED[path]) return { text, headers: {}, query };
  const fields = JSON.parse(text);
  const covered = Array.isArray(SIGNED[path]) ? SIGNED[path] : SIGNED[path][fields.method];
  return { text: JSON.stringify({ ...fields, sign: md5Sign(fields, covered || [], apiKey) }), headers: {}, query };
}

function utf8(text) {
  return Array.from(unescape(encodeURIComponent(text)), (letter) => letter.charCodeAt(0));
}

function toHex(bytes) {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64(bytes) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first, second = 0, third = 0] = bytes.slice(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    for (const shift of [18, 12, 6, 0]) text += letters[(group >> shift) & 63];
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return text.slice(0, text.length - missing) + '='.repeat(missing);
}

// The words of 32 bits of the padded message, 16 to a block.
function blocksOf(bytes, isLittleEndian) {
  const length = Array.from({ length: 8 }, (_, at) => Math.floor((bytes.length * 8) / 2 ** (8 * at)) & 255);
  const zeros = Array((119 - (bytes.length % 64)) % 64).fill(0);
  const padded = [...bytes, 128, ...zeros, ...(isLittleEndian ? length : length.reverse())];
  const words = Array.from({ length: padded.length / 4 }, (_, at) => {
    const four = padded.slice(at * 4, at * 4 + 4);
    return (isLittleEndian ? four.reverse() : four).reduce((word, byte) => (word << 8) | byte, 0);
  });
  return Array.from({ length: words.length / 16 }, (_, at) => words.slice(at * 16, at * 16 + 16));
}

function md5(bytes) {
  const shifts = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476].map((word) => word | 0);
  for (const block of blocksOf(bytes, true)) {
    let [a, b, c, d] = state;
    for (let step = 0; step < 64; step++) {
      const round = step >> 4;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round];
      const from = [step, 5 * step + 1, 3 * step + 5, 7 * step][round] % 16;
      const constant = Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32);
      const sum = (a + mixed + constant + block[from]) | 0;
      const shift = shifts[round][step % 4];
      [a, b, c, d] = [d, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0, b, c];
    }
    state = [a, b, c, d].map((word, at) => (word + state[at]) | 0);
  }
  return state.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255));
}

function sha256(bytes) {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
  const turned = (word, by) => (word >>> by) | (word << (32 - by));
  let state = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  for (const block of blocksOf(bytes, false)) {
    const words = [...block];
    for (let at = 16; at < 64; at++) {
      const [early, late] = [words[at - 15], words[at - 2]];
      const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      words[at] = (words[at - 16] + small + words[at - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let step = 0; step < 64; step++) {
      const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
      const first = (h + chosen + fraction(Math.cbrt(primes[step])) + words[step]) | 0;
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    state = [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
  }
  return state.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255));
}

function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  const padded = [...short, ...Array(64 - short.length).fill(0)];
  const inner = sha256([...padded.map((byte) => byte ^ 0x36), ...message]);
  return sha256([...padded.map((byte) => byte ^ 0x5c), ...inner]);
}
