import http from 'node:http';

/** One agent's way to the API: one connection that is kept, as a client that does one thing after another has it. */
export class Connection {
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url, token) {
    this.url = new URL(url);
    this.token = token;
  }

  /** Rejects where there was no answer. */
  send(method, path, { headers = {}, body, timeoutMs = 30_000 } = {}) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request({
        ...{ agent: this.#agent, host: this.url.hostname, port: this.url.port, method, path },
        headers: {
          ...{ authorization: `Bearer ${this.token}`, ...headers },
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      });
      request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer in ${timeoutMs} ms`)));
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
      });
      request.end(payload);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
