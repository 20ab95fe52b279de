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
  | { readonly kind: 'html'; readonly status: number }
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
  #received = 0;
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

  /** Connections that are open: none is left when every client has ended. */
  get connections(): number {
    return this.#sockets.size;
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
    this.#received += body.length;
    if (this.#received > MOST_BYTES) throw new Error('more than this server keeps');
    perform(response, this.#deedFor(url, request, body));
  }

  #deedFor(url: URL, request: IncomingMessage, body: Buffer): Deed {
    if (url.pathname.startsWith(SERVICE)) {
      return this.#call(url.pathname.slice(SERVICE.length), request, body);
    }
    if (url.searchParams.get('sig') !== SIGNATURE) return json(403, {});
    return request.method === 'PUT' ? this.#upload(url, body) : this.#download(url);
  }

  #call(method: string, request: IncomingMessage, body: Buffer): Deed {
    const api = Object.hasOwn(TWIRP, method) ? TWIRP[method] : undefined;
    if (api === undefined) return json(404, { code: 'bad_route', msg: 'no such method' });
    this.requests[api]++;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return json(401, { code: 'unauthenticated', msg: 'the token is not valid' });
    }
    const { key, version } = JSON.parse(body.toString()) as { key: string; version: string };
    const fault = this.#faultOf(api, key);
    if (fault?.kind === 'not-ok') return json(200, { ok: false, message: fault.message });
    if (fault?.kind === 'other-key') {
      return json(200, {
        ok: true,
        signed_download_url: this.#signed('download', 'none'),
        matched_key: fault.key,
      });
    }
    if (fault) return { fault, body: Buffer.from('{"ok": false}') };
    switch (api) {
      case 'lookup':
        return this.#lookUp(key, version);
      case 'create':
        return this.#create(key, version);
      default:
        return this.#finalize(key, version);
    }
  }

  #lookUp(key: string, version: string): Deed {
    const place = placeOf({ key, version });
    if (!this.#entries.has(place)) return json(200, { ok: false });
    const address = this.#signed('download', place);
    return json(200, { ok: true, signed_download_url: address, matched_key: key });
  }

  #create(key: string, version: string): Deed {
    if (this.#entries.has(placeOf({ key, version }))) return json(409, ALREADY_EXISTS);
    const id = String(++this.#lastId);
    this.#uploads.set(id, { key, version, blocks: new Map(), bytes: undefined });
    return json(200, { ok: true, signed_upload_url: this.#signed('upload', id) });
  }

  #finalize(key: string, version: string): Deed {
    const upload = [...this.#uploads.values()].find(
      (one) => one.key === key && one.version === version && one.bytes,
    );
    if (!upload?.bytes) return json(404, { code: 'not_found', msg: 'nothing was uploaded' });
    this.put({ key, version, bytes: upload.bytes });
    return json(200, { ok: true, entry_id: String(++this.#lastId) });
  }

  /** Account, container and blob: the client takes addresses apart. */
  #signed(verb: 'upload' | 'download', id: string): string {
    return `${this.origin}/devstoreaccount1/${verb}/${encodeURIComponent(id)}?sig=${SIGNATURE}`;
  }

  #upload(url: URL, body: Buffer): Deed {
    this.requests.upload++;
    const upload = this.#uploads.get(lastSegment(url));
    if (!upload) return json(404, {});
    const fault = this.#faultOf('upload', upload.key);
    if (fault) return { fault, body: Buffer.from('<some>words</some>') };
    const comp = url.searchParams.get('comp');
    if (comp === 'block') {
      upload.blocks.set(url.searchParams.get('blockid') ?? '', body);
    } else if (comp === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id]) => id);
      upload.bytes = Buffer.concat(ids.map((id) => upload.blocks.get(id ?? '') ?? Buffer.alloc(0)));
    } else {
      upload.bytes = body;
    }
    return { status: 201, headers: { 'x-ms-request-id': '1', etag: '"1"' }, body: Buffer.alloc(0) };
  }

  #download(url: URL): Deed {
    this.requests.download++;
    const entry = this.#entries.get(decodeURIComponent(lastSegment(url)));
    if (!entry) return json(404, {});
    const fault = this.#faultOf('download', entry.key);
    if (fault?.kind === 'bytes') {
      return { status: 200, headers: {}, body: fault.change(entry.bytes) };
    }
    if (fault) return { fault, body: entry.bytes };
    return { status: 200, headers: {}, body: entry.bytes };
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

/** What a request comes to: an answer, or something that is none. */
type Deed =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  | { readonly fault: Fault; readonly body: Buffer };

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Deed {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function perform(response: ServerResponse, deed: Deed): void {
  if ('fault' in deed) {
    misbehave(response, deed.fault, deed.body);
  } else {
    const headers = { ...deed.headers, 'content-length': deed.body.length };
    response.writeHead(deed.status, headers).end(deed.body);
  }
}

function misbehave(response: ServerResponse, fault: Fault, body: Buffer): void {
  switch (fault.kind) {
    case 'status': {
      const { status, message, headers } = fault;
      perform(response, json(status, { code: 'some_code', msg: message }, headers));
      break;
    }
    case 'html': {
      const page = Buffer.from('<html><body>We are down for maintenance.</body></html>');
      perform(response, {
        status: fault.status,
        headers: { 'content-type': 'text/html' },
        body: page,
      });
      break;
    }
    case 'reset':
      begin(response, body);
      // After the half has left: a reset at once would overtake it.
      setTimeout(() => response.socket?.resetAndDestroy(), 50);
      break;
    case 'stall':
      begin(response, body);
      break;
    case 'silence':
      break;
    default:
      throw new Error(`a fault of kind ${fault.kind} does not fit here`);
  }
}

function begin(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-length': body.length });
  response.write(body.subarray(0, body.length >> 1));
}
