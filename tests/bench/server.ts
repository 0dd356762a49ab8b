import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { urlOf, type Call } from '#src/contract/call.ts'
import { toQuery } from '#src/contract/query.ts'
import { atEnd } from '../farm/ends.ts'
import { ended, freePort } from '../farm/postgres.ts'
import { dist } from './browser.ts'

type Probed = { rss: number; held_ms: number }
/**
 * The built server on demo data of its own: little, unless more is wanted; or on a database that is
 * ready, a PostgreSQL's address or an embedded one's folder, which stays. `probe` tells its memory,
 * in bytes, and the p99 of how long its event loop was held since the last `watch`, in ms. It ends
 * with the bench, also where that throws.
 */
export const serveBuilt = async (
  from = dist,
  scale = '0.02',
  ready: { url?: string; folder?: string } = {},
): Promise<{
  address: string
  probe: (asked?: 'watch') => Promise<Probed>
  close: () => Promise<void>
}> => {
  const { serverFlags } = (await import(new URL('../../src/start.mjs', import.meta.url).href)) as {
    serverFlags: readonly string[]
  }
  const data = ready.folder ?? mkdtempSync(join(tmpdir(), 'mallet-bench-data-'))
  const port = Number(process.env.BENCH_PORT ?? (await freePort()))
  const server = spawn(
    process.execPath,
    [
      ...serverFlags,
      '--import',
      new URL('probe.mjs', import.meta.url).href,
      join(from, 'server/serve.js'),
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...process.env,
        PORT: String(port),
        HOST: '127.0.0.1',
        MALLET_DATA: data,
        MALLET_LOG: 'error',
        DATABASE_URL: ready.url ?? '',
        MALLET_SIMULATOR: 'off',
        ...(!ready.url && !ready.folder && { MALLET_SCALE: scale }),
      },
    },
  )
  const close = async () => {
    await ended(server, 'SIGTERM')
    if (!ready.folder) rmSync(data, { recursive: true, force: true })
  }
  atEnd(close)
  let said = ''
  server.stderr!.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-2000)
  })
  const address = `http://127.0.0.1:${port}`
  for (
    let tries = 0;
    !(await fetch(`${address}/healthz`).then(
      answer => answer.ok,
      () => false,
    ));
    tries++
  ) {
    if (server.exitCode !== null || tries > 600)
      throw new Error(`the server did not start: ${said}`)
    await new Promise(again => setTimeout(again, 200))
  }
  const probe = async (asked: 'watch' | 'tell' = 'tell') => {
    const told = once(server, 'message')
    server.send(asked)
    return (await told)[0] as Probed
  }
  return { address, probe, close }
}
/**
 * Asks calls, one after the other on one connection, in another process than the server's; what the
 * asking itself takes is little. Answers the milliseconds until the last byte, and the data.
 */
export const asker = (address: string, token: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const signed = { 'authori-zation': `Bearer ${token}`, region: 'pro' }
  return <T>(call: Call, query: object) =>
    new Promise<{ ms: number; data: T }>((done, fail) => {
      const reads = call.kind === 'read'
      const began = performance.now()
      request(
        `${address}${urlOf(call)}${reads ? `?${toQuery(query)}` : ''}`,
        {
          agent,
          method: call.method,
          headers: reads
            ? signed
            : {
                ...signed,
                'content-type': 'application/json',
                'idempotency-key': crypto.randomUUID(),
              },
        },
        answer => {
          const parts: Buffer[] = []
          answer
            .on('data', (part: Buffer) => parts.push(part))
            .on('error', fail)
            .on('end', () => {
              const ms = performance.now() - began
              const { status, data, message } = JSON.parse(Buffer.concat(parts).toString()) as {
                status: number
                data: T
                message: string
              }
              if (status === 200) done({ ms, data })
              else fail(new Error(`${urlOf(call)} ${JSON.stringify(query)}: ${status} ${message}`))
            })
        },
      )
        .on('error', fail)
        .end(reads ? undefined : JSON.stringify(query))
    })
}
/** Signs in on the sign-in page; the workbench stands when it returns. */
export const signIn = async (page: Page, address: string, account = 'admin') => {
  await page.goto(address)
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill('Mallet#2026')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: '主菜单' }).waitFor()
}
