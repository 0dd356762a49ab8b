import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { onlyOn } from '../farm.ts'

const HOUSE = 'tests/planted/house'
const MIGRATIONS = 'src/server/db/migrations'
const name = `t_planted_${process.pid}`
const copy = join(tmpdir(), `mallet-${name}`)
/** The files of the planted module, as they would lie in the source. */
const planted = readdirSync(HOUSE, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name).slice(HOUSE.length + 1))
const migrations = () => readdirSync(join(copy, MIGRATIONS)).filter(file => file.endsWith('.sql'))

/** Runs Node in the copy and answers the last line of what it printed. Throws what it complained of. */
const run = (...args: string[]) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: copy })
    let [said, complained] = ['', '']
    child.stdout.on('data', chunk => void (said += String(chunk)))
    child.stderr.on('data', chunk => void (complained += String(chunk)))
    child.once('close', code =>
      code === 0
        ? resolve(said.trim().split('\n').at(-1)!)
        : reject(new Error(`${args.join(' ')} ended with ${code}: ${complained}`)),
    )
  })
const asAdmin = async (sql: string) => {
  const client = new pg.Client((inject('template') as { admin: string }).admin)
  await client.connect()
  await client.query(sql)
  await client.end()
}

// Only there does an empty database cost little.
onlyOn('postgres')('a module in folders of its own', () => {
  let written: string[] = []
  let browser: (typeof import('../planted/browser.ts'))['found']
  let server: (typeof import('../planted/server.ts'))['told']
  beforeAll(async () => {
    mkdirSync(copy)
    for (const path of ['src', 'commands', 'package.json', 'tsconfig.json', 'tests/planted'])
      cpSync(path, join(copy, path), { recursive: true })
    cpSync('tests/e2e/registry.ts', join(copy, 'tests/e2e/registry.ts'))
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
    cpSync(HOUSE, copy, { recursive: true, force: false, errorOnExist: true })
    const before = migrations()
    const finding = run('tests/planted/browser.mjs')
    finding.catch(() => {})
    await run(
      'node_modules/drizzle-kit/bin.cjs',
      'generate',
      '--config',
      'src/server/db/drizzle.config.ts',
    )
    written = migrations().filter(file => !before.includes(file))
    await asAdmin(`create database ${name}`)
    const url = new URL((inject('template') as { admin: string }).admin)
    url.pathname = `/${name}`
    server = JSON.parse(
      await run('--import', './src/source.mjs', 'tests/planted/server.ts', url.href, copy),
    )
    browser = JSON.parse(await finding)
  }, 180_000)
  afterAll(async () => {
    await asAdmin(`drop database if exists ${name} with (force)`)
    rmSync(copy, { recursive: true, force: true })
  })

  it('edits no file that is there', () => {
    expect(planted.length).toBeGreaterThan(7)
    expect(planted.filter(file => existsSync(file))).toEqual([])
  })
  it('has its migration written, of its table alone', () => {
    expect(written).toHaveLength(1)
    const text = readFileSync(join(copy, MIGRATIONS, written[0]!), 'utf8')
    expect(text).toMatch(/^CREATE TABLE "kiosk"/)
    expect(text.match(/(?:CREATE|ALTER|DROP) TABLE "\w+"/g)).toEqual([
      'CREATE TABLE "kiosk"',
      'ALTER TABLE "kiosk"',
    ])
  })
  it('grows its demo data, and lets the demo’s roles in', () => {
    expect(server.demo).toEqual([
      {
        id: 1,
        mall_id: 1,
        name: expect.stringMatching(/^自助机 \d{3}$/),
        status: 'on',
        version: 0,
      },
    ])
    expect(server.holders).toEqual(['super_admin', 'ops_director', 'read_only'])
  })
  it('stands in the menu and in the role editor', () => {
    expect(server.menu.at(-1)).toMatchObject({
      title: '自助机',
      children: [{ title: '自助机列表', redirect: '/manage/kiosk/machine' }],
    })
    expect(server.rights.at(-1)).toMatchObject({
      key: 'kiosk',
      pages: [{ path: '/manage/kiosk/machine' }],
    })
  })
  it('tells the operation log its words', () => {
    expect(server.done).toEqual({ id: 1, version: 1 })
    expect(server.log).toMatchObject([
      {
        module_title: '自助机',
        action_title: '停用自助机',
        object_title: '自助机',
        object_label: server.demo[0]!.name,
        summary: '运行 启用 → 停用',
        reason: '搬迁',
      },
    ])
  })
  it('is in the API document', () => {
    expect(Object.keys(server.docs).filter(path => path.includes('kiosk'))).toEqual([
      '/api/manageback/kiosk/machine/lst',
      '/api/manageback/kiosk/machine/disable',
    ])
  })
  it('is in the palette with its page, action and words of help, and its file is found', () => {
    expect(browser).toMatchObject({
      title: '自助机列表',
      file: true,
      actions: ['kiosk.machine.disable', 'kiosk.machine.objectHistory'],
      terms: ['kiosk'],
    })
  })
  it('is visited by the sweep', () => {
    expect(browser.sweep).toContain('/manage/kiosk/machine')
  })
})
