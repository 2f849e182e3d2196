import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { compressFiles } from './tools/compress-files.mjs';

// The API serves what is built here at /console, under a policy that refuses inline scripts and styles, data: fonts and
// anything from elsewhere.
export default defineConfig({
  base: '/console/',
  // The server writes a fresh nonce here; the kit and the editor give it to the style sheets that they insert.
  html: { cspNonce: '__CSP_NONCE__' },
  // Our own libraries from their sources, as the type checker and the tests have them.
  resolve: { conditions: ['@wrongstack/source', ...defaultClientConditions] },
  plugins: [react(), compressFiles()],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // Which page loads what: a test adds the sizes up.
    manifest: true,
    // Inlined files would be data: addresses, which the policy refuses for everything but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  // For work on the console alone: `npx vite` beside an API on its usual port.
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/v1': 'http://127.0.0.1:3000' },
  },
});
