import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** What a run leaves behind: reports, screenshots, data of servers. */
export const results = join(root, 'test-results')
export const bin = (path: string) => join(root, 'node_modules', path)

/** Runs Node in this terminal; answers its exit code. What hangs is ended after `minutes`. */
export const node = (
  args: string[],
  env: Record<string, string> = {},
  minutes = 90,
): Promise<number> =>
  new Promise(done => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    const hurry = setTimeout(() => {
      console.error(`${args[0]} took longer than ${minutes} minutes: ended`)
      child.kill('SIGKILL')
    }, minutes * 60_000)
    child.on('exit', code => {
      clearTimeout(hurry)
      done(code ?? 1)
    })
  })
export const works = (command: string, args = ['--version']): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0
export const title = (name: string): void =>
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 60 - name.length))}`)
