import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endAll } from '../farm/ends.ts'
import { temporaryFolder } from '../farm/temporary.ts'

afterAll(endAll)

/** A server that only says that it is well, and leaves its number in a file beside it. */
const serving = `
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
writeFileSync(new URL('pid', import.meta.url), String(process.pid))
createServer((_, reply) => reply.end('well')).listen(Number(process.env.PORT), '127.0.0.1')
`
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Runs a bench that ends in this way, and answers the number of the server that it had begun. */
const benchOf = async (ending: string): Promise<number> => {
  const folder = temporaryFolder('bench')
  mkdirSync(join(folder, 'server'))
  writeFileSync(join(folder, 'server/serve.js'), serving)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const here = new URL('../bench', import.meta.url).pathname
  const run = spawn(
    process.execPath,
    [
      '--import',
      './src/source.mjs',
      '--input-type=module',
      '-e',
      `const { serveBuilt } = await import('${here}/server.ts')
       const { bench } = await import('${here}/table.ts')
       await bench('broken', async () => {
         await serveBuilt('${folder}')
         ${ending}
       })`,
    ],
    { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } },
  )
  const [code, signal] = await once(run, 'exit')
  expect(code === 0 && signal === null).toBe(false)
  return Number(readFileSync(join(folder, 'server/pid'), 'utf8'))
}

test('a bench that throws leaves no server behind', async () => {
  expect(isThere(await benchOf(`throw new Error('off')`))).toBe(false)
})
test('nor does one that is killed', async () => {
  const pid = await benchOf(`process.kill(process.pid, 'SIGKILL')`)
  await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false)
})
