import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll } from 'vitest';

/**
 * A cache service of GitHub Actions, second version, as spec/08 §3.4 has it on the wire, with faults
 * to order. It listens on 127.0.0.1 only, and keeps what it is sent in memory, up to a bound.
 */

export type Api = 'lookup' | 'download' | 'create' | 'upload' | 'finalize';

/** How an API misbehaves. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
    }
  /** `{"ok": false}`, with a message if there is one. */
  | { readonly kind: 'not-ok'; readonly message?: string }
  | { readonly kind: 'html'; readonly status?: number }
  /** Half an answer, then the connection is reset. */
  | { readonly kind: 'reset' }
  /** Half an answer, then nothing more. */
  | { readonly kind: 'stall' }
  /** The request is taken and never answered. */
  | { readonly kind: 'silence' }
  /** A look-up that answers with another key. */
  | { readonly kind: 'other-key'; readonly key: string }
  /** A download of what the function makes of the right bytes. */
  | { readonly kind: 'bytes'; readonly change: (bytes: Buffer) => Buffer };

interface Order {
  readonly fault: Fault;
  /** Only requests about a key that this text stands in. */
  readonly about: string;
}

export interface StoredEntry {
  readonly key: string;
  readonly version: string;
  readonly bytes: Buffer;
}

/** Stands in each signed address; must never be seen by anybody else. */
export const SIGNATURE = 'c2lnbmF0dXJlLW9mLXRoZS1jYWNoZQ';
export const TOKEN = 'token-that-nobody-may-see';

const SERVICE = '/twirp/github.actions.results.api.v1.CacheService/';
const MOST_BYTES = 512 * 1024 * 1024;

const TWIRP: Readonly<Record<string, Api>> = {
  CreateCacheEntry: 'create',
  FinalizeCacheEntryUpload: 'finalize',
  GetCacheEntryDownloadURL: 'lookup',
};

const servers: CacheServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** Starts a server; it ends with the tests of the file. */
export async function startCacheServer(): Promise<CacheServer> {
  const server = new CacheServer();
  servers.push(server);
  await server.listen();
  return server;
}

interface Upload {
  readonly key: string;
  readonly version: string;
  readonly blocks: Map<string, Buffer>;
  bytes: Buffer | undefined;
}

export class CacheServer {
  /** Requests seen, by API. */
  readonly requests: Record<Api, number> = {
    lookup: 0,
    download: 0,
    create: 0,
    upload: 0,
    finalize: 0,
  };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #orders = new Map<Api, Order>();
  readonly #entries = new Map<string, StoredEntry>();
  readonly #uploads = new Map<string, Upload>();
  #kept = 0;
  #lastId = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a runner gives to the steps of a job. */
  environment(): Record<string, string> {
    return {
      ACTIONS_RUNTIME_TOKEN: TOKEN,
      ACTIONS_RESULTS_URL: `${this.origin}/`,
      ACTIONS_CACHE_SERVICE_V2: 'true',
    };
  }

  /** Makes an API misbehave, for all keys or for those that a text stands in. */
  order(api: Api, fault: Fault, about = ''): void {
    this.#orders.set(api, { fault, about });
  }

  entries(): StoredEntry[] {
    return [...this.#entries.values()];
  }

  put(entry: StoredEntry): void {
    this.#entries.set(placeOf(entry), entry);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const body = await readBody(request);
    this.#kept += body.length;
    if (this.#kept > MOST_BYTES) throw new Error('more than this server keeps');
    if (url.pathname.startsWith(SERVICE)) {
      this.#call(url.pathname.slice(SERVICE.length), request, body, response);
    } else if (url.searchParams.get('sig') !== SIGNATURE) {
      answer(response, 403, {});
    } else if (request.method === 'PUT') {
      this.#upload(url, body, response);
    } else {
      this.#download(url, response);
    }
  }

  #call(method: string, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const api = Object.hasOwn(TWIRP, method) ? TWIRP[method] : undefined;
    if (api === undefined)
      return answer(response, 404, { code: 'bad_route', msg: 'no such method' });
    this.requests[api]++;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return answer(response, 401, { code: 'unauthenticated', msg: 'the token is not valid' });
    }
    const { key, version } = JSON.parse(body.toString()) as { key: string; version: string };
    const fault = this.#faultOf(api, key);
    if (!fault) return answer(response, ...this.#result(api, key, version));
    switch (fault.kind) {
      case 'not-ok':
        return answer(response, 200, { ok: false, message: fault.message });
      case 'other-key':
        return answer(response, 200, {
          ok: true,
          signed_download_url: this.#signed('download', 'none'),
          matched_key: fault.key,
        });
      default:
        return misbehave(response, fault, JSON.stringify({ ok: false }));
    }
  }

  #result(api: Api, key: string, version: string): [number, object] {
    const place = placeOf({ key, version });
    if (api === 'lookup') {
      if (!this.#entries.has(place)) return [200, { ok: false }];
      const address = this.#signed('download', place);
      return [200, { ok: true, signed_download_url: address, matched_key: key }];
    }
    if (api === 'create') {
      if (this.#entries.has(place)) return [409, ALREADY_EXISTS];
      const id = String(++this.#lastId);
      this.#uploads.set(id, { key, version, blocks: new Map(), bytes: undefined });
      return [200, { ok: true, signed_upload_url: this.#signed('upload', id) }];
    }
    const upload = [...this.#uploads.values()].find((one) => placeOf(one) === place && one.bytes);
    if (!upload?.bytes) return [404, { code: 'not_found', msg: 'nothing was uploaded' }];
    this.put({ key, version, bytes: upload.bytes });
    return [200, { ok: true, entry_id: String(++this.#lastId) }];
  }

  /** Account, container and blob: the client takes addresses apart. */
  #signed(verb: 'upload' | 'download', id: string): string {
    return `${this.origin}/devstoreaccount1/${verb}/${encodeURIComponent(id)}?sig=${SIGNATURE}`;
  }

  #upload(url: URL, body: Buffer, response: ServerResponse): void {
    this.requests.upload++;
    const upload = this.#uploads.get(lastSegment(url));
    if (!upload) return answer(response, 404, {});
    const fault = this.#faultOf('upload', upload.key);
    if (fault) return misbehave(response, fault, '');
    const comp = url.searchParams.get('comp');
    if (comp === 'block') {
      upload.blocks.set(url.searchParams.get('blockid') ?? '', body);
    } else if (comp === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id]) => id);
      upload.bytes = Buffer.concat(ids.map((id) => upload.blocks.get(id ?? '') ?? Buffer.alloc(0)));
    } else {
      upload.bytes = body;
    }
    response.writeHead(201, { 'x-ms-request-id': '1', etag: '"1"', 'content-length': 0 }).end();
  }

  #download(url: URL, response: ServerResponse): void {
    this.requests.download++;
    const entry = this.#entries.get(decodeURIComponent(lastSegment(url)));
    if (!entry) return answer(response, 404, {});
    const fault = this.#faultOf('download', entry.key);
    if (fault && fault.kind !== 'bytes') return misbehave(response, fault, entry.bytes);
    const bytes = fault ? fault.change(entry.bytes) : entry.bytes;
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  }

  #faultOf(api: Api, key: string): Fault | undefined {
    const order = this.#orders.get(api);
    return order && key.includes(order.about) ? order.fault : undefined;
  }
}

/** As GitHub words it. */
const ALREADY_EXISTS = {
  code: 'already_exists',
  msg: 'cache entry with the same key, version, and scope already exists',
};

function placeOf({ key, version }: Pick<StoredEntry, 'key' | 'version'>): string {
  return `${version} ${key}`;
}

function lastSegment(url: URL): string {
  return url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  response.writeHead(status, headers).end(bytes);
}

function misbehave(response: ServerResponse, fault: Fault, body: string | Buffer): void {
  switch (fault.kind) {
    case 'status':
      for (const [name, value] of Object.entries(fault.headers ?? {})) {
        response.setHeader(name, value);
      }
      return answer(response, fault.status, { code: 'some_code', msg: fault.message });
    case 'html': {
      const page = '<html><body>We are down for maintenance.</body></html>';
      response.writeHead(fault.status ?? 200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    case 'reset':
      begin(response, body);
      // After the half has left: a reset at once would overtake it.
      setTimeout(() => response.socket?.resetAndDestroy(), 50);
      return;
    case 'stall':
      begin(response, body);
      return;
    default:
      return;
  }
}

function begin(response: ServerResponse, body: string | Buffer): void {
  const bytes = Buffer.from(body);
  response.writeHead(200, { 'content-length': Math.max(bytes.length, 2) });
  response.write(bytes.length > 1 ? bytes.subarray(0, bytes.length >> 1) : Buffer.alloc(1));
}
