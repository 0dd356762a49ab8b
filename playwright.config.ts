import './tests/farm/clock.mjs'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import timings from './tests/e2e/timings.json' with { type: 'json' }
import { deal } from './tests/run/deal.ts'

const chromium = process.env.TEST_CHROMIUM
const port = Number(process.env.TEST_PORT ?? 4199)
const data = process.env.TEST_DATA ?? 'test-results'
const testDir = 'tests/e2e'
const journeys = readdirSync(fileURLToPath(new URL(testDir, import.meta.url))).filter(file =>
  file.endsWith('.e2e.ts'),
)
const names = ['first', 'second'] as const
const hands = deal(journeys, timings, names.length)
/**
 * Parts that take about as long, each with a server of its own and one worker, as a journey wants
 * its data for itself.
 */
const parts = names.map((name, at) => ({
  name,
  at: port + 2 * at,
  testMatch: hands[at]!.map(file => `**/${file}`),
}))
/** End to end: the built server with demo data of its own, in a folder that each run makes anew. */
export default defineConfig({
  testDir,
  outputDir: 'test-results/e2e',
  timeout: 120_000,
  workers: parts.length,
  // How long a busy machine may take is not what is tested.
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'test-results/e2e.json' }],
  ],
  use: {
    actionTimeout: 20_000,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // A frame drawn for something that moves costs as much as one that is looked at.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording a trace takes as long as the journey: `npx playwright test FILE --trace on` where
    // one is wanted.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      // A page lives for seconds: to compile again what is warm, and processes that keep one site
      // from harming the others, take a third of the browser's work and serve nobody here.
      args: [
        '--in-process-gpu',
        '--enable-features=NetworkServiceInProcess2',
        // The browser keeps compiled scripts, as one tab opens the same ones again and again.
        '--js-flags=--no-maglev --no-turbofan --no-flush-bytecode',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
  projects: parts.map(({ name, at, ...which }) => ({
    name,
    ...which,
    workers: 1,
    use: { baseURL: `http://127.0.0.1:${at}` },
  })),
  webServer: parts.map(({ name, at }) => ({
    command: `node tests/farm/demoData.mjs ${data}/data-${name} && node dist/server/serve.js`,
    url: `http://127.0.0.1:${at}/healthz`,
    timeout: 300_000,
    // The server's log is there: where it ends, why.
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
    env: {
      PORT: String(at),
      HOST: '127.0.0.1',
      MALLET_DATA: `${data}/data-${name}`,
      MALLET_SCALE: '0.05',
      MALLET_SIMULATOR: 'off',
      MALLET_LOG: 'warn',
    },
  })),
})
