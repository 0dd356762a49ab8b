import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../farm/postgres.ts'
import { dist } from './browser.ts'

/** The built server on a small set of demo data of its own. */
export const serveBuilt = async (): Promise<{ address: string; close: () => Promise<void> }> => {
  const data = mkdtempSync(join(tmpdir(), 'mallet-bench-data-'))
  const port = Number(process.env.BENCH_PORT ?? await freePort())
  const server = spawn(process.execPath, [join(dist, 'server/serve.js')], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', MALLET_DATA: data, MALLET_SCALE: '0.02', MALLET_SIMULATOR: 'off', MALLET_LOG: 'error', DATABASE_URL: '' } })
  let said = ''
  server.stderr.on('data', (chunk: Buffer) => { said = (said + String(chunk)).slice(-2000) })
  const address = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await fetch(`${address}/healthz`).then(answer => answer.ok, () => false)); tries++) {
    if (server.exitCode !== null || tries > 600) throw new Error(`the server did not start: ${said}`)
    await new Promise(again => setTimeout(again, 200))
  }
  const close = () => new Promise<void>(done => { server.once('exit', () => { rmSync(data, { recursive: true, force: true }); done() }); server.kill('SIGTERM') })
  return { address, close }
}
/** Signs in on the sign-in page; the workbench stands when it returns. */
export const signIn = async (page: Page, address: string, account = 'admin') => {
  await page.goto(address)
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill('Mallet#2026')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: '主菜单' }).waitFor()
}
