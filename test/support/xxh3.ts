/** XXH3 (64 bit, no seed) of more than 240 bytes, the checksum of graph files; by the specification of xxHash. */

const SECRET = Buffer.from(
  `
  b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221
  b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8
  a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb
  170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e
  `.replace(/\s/g, ''),
  'hex',
);
const [PRIME32_1, PRIME32_2, PRIME32_3] = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const [PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME64_5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];
const STRIPE = 64;
const STRIPES_PER_BLOCK = (SECRET.length - STRIPE) / 8;

type Lanes = BigUint64Array;

const low32 = (value: bigint) => value & 0xffffffffn;
const word = (bytes: Buffer, at: number) => bytes.readBigUInt64LE(at);
const lane = (lanes: Lanes, at: number) => lanes[at] ?? 0n;

// A typed array keeps the low 64 bits of each value.
function accumulate(lanes: Lanes, input: Buffer, at: number, secretAt: number): void {
  for (let i = 0; i < lanes.length; i++) {
    const value = word(input, at + 8 * i);
    const keyed = value ^ word(SECRET, secretAt + 8 * i);
    lanes[i ^ 1] = lane(lanes, i ^ 1) + value;
    lanes[i] = lane(lanes, i) + low32(keyed) * (keyed >> 32n);
  }
}

function scramble(lanes: Lanes): void {
  for (let i = 0; i < lanes.length; i++) {
    const value = lane(lanes, i);
    lanes[i] = (value ^ (value >> 47n) ^ word(SECRET, SECRET.length - STRIPE + 8 * i)) * PRIME32_1;
  }
}

function merge(lanes: Lanes, length: number): bigint {
  let sum = BigInt(length) * PRIME64_1;
  for (let i = 0; i < lanes.length; i += 2) {
    const product = (lane(lanes, i) ^ word(SECRET, 11 + 8 * i)) * (lane(lanes, i + 1) ^ word(SECRET, 19 + 8 * i));
    sum += BigInt.asUintN(64, product) ^ (product >> 64n);
  }
  sum = BigInt.asUintN(64, sum);
  sum = BigInt.asUintN(64, (sum ^ (sum >> 37n)) * 0x165667919e3779f9n);
  return sum ^ (sum >> 32n);
}

/** The hash of `input`. */
export function xxh3(input: Buffer): bigint {
  const lanes = BigUint64Array.of(
    PRIME32_3,
    PRIME64_1,
    PRIME64_2,
    PRIME64_3,
    PRIME64_4,
    PRIME32_2,
    PRIME64_5,
    PRIME32_1,
  );
  const stripes = Math.floor((input.length - 1) / STRIPE);
  for (let i = 0; i < stripes; i++) {
    accumulate(lanes, input, i * STRIPE, (i % STRIPES_PER_BLOCK) * 8);
    if ((i + 1) % STRIPES_PER_BLOCK === 0) scramble(lanes);
  }
  accumulate(lanes, input, input.length - STRIPE, SECRET.length - STRIPE - 7);
  return merge(lanes, input.length);
}
