import { defineConfig } from '@playwright/test'

const chromium = process.env.TEST_CHROMIUM
const port = Number(process.env.TEST_PORT ?? 4199)

/** End to end: the built server with demo data of its own, in a folder that each run makes anew. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results/e2e',
  timeout: 60_000,
  workers: 1,
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'test-results/e2e.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    actionTimeout: 5_000,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    trace: 'retain-on-failure',
    launchOptions: { ...(chromium && { executablePath: chromium }), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
  },
  webServer: {
    command: `rm -rf test-results/data && node dist/server/serve.js`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
    env: { PORT: String(port), HOST: '127.0.0.1', MALLET_DATA: 'test-results/data', MALLET_SCALE: '0.05', MALLET_SIMULATOR: 'off', MALLET_LOG: 'warn' },
  },
})
