import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadConfig, readConfig, settings, settingsTable } from '#src/server/http/config.ts'
import { payPems } from './help/wechatPay.ts'

const faultsOf = (env: Record<string, string>) => {
  try {
    readConfig(env, '/srv')
    return []
  } catch (error) {
    return (error as BadConfig).faults
  }
}

describe('settings', () => {
  it('have their defaults: embedded, on this machine only, demo and simulator on', () => {
    expect(readConfig({}, '/srv')).toMatchObject({
      port: 4180,
      host: '127.0.0.1',
      data: '/srv/data',
      database_url: null,
      manageback_url: null,
      demo: true,
      simulator: true,
      admin_password: null,
    })
  })
  it('never put demo accounts into a PostgreSQL of one’s own', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u:p@db/mallet' })).toMatchObject({
      demo: false,
      simulator: false,
    })
    expect(faultsOf({ DATABASE_URL: 'postgres://u:p@db/mallet', MALLET_DEMO: 'on' })).toHaveLength(
      1,
    )
  })
  it.each([
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['MALLET_DEMO', 'yes'],
    ['MANAGEBACK_URL', 'ftp://x'],
    ['MALLET_LICENCE', 'tesseract'],
    ['MALLET_LICENCE', 'file:///etc'],
    ['DATABASE_URL', 'mysql://root:secret@db'],
    ['MALLET_SCALE', '0'],
    ['MALLET_ADMIN_PASSWORD', 'short'],
  ])('refuse %s=%s, name it and say how to mend it', (name, value) => {
    const [fault, ...more] = faultsOf({ [name]: value })
    expect(more).toEqual([])
    expect(fault).toMatch(new RegExp(`^${name}`))
    expect(fault).toContain('For example')
  })
  it('never show a secret, and tell all faults at once', () => {
    const faults = faultsOf({
      PORT: 'x',
      DATABASE_URL: 'mysql://root:hunter2@db',
      MALLET_ADMIN_PASSWORD: 'abc',
    })
    expect(faults).toHaveLength(3)
    expect(faults.join()).not.toMatch(/hunter2|=abc/)
  })
  it('of WeChat Pay belong together: what is missing is named, keys are read, and none is shown', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mallet-config-'))
    writeFileSync(join(folder, 'key.pem'), payPems.ours)
    writeFileSync(join(folder, 'public.pem'), payPems.theirs)
    writeFileSync(join(folder, 'empty.pem'), 'none')
    const all = {
      WECHAT_PAY_MCHID: '1900000001',
      WECHAT_PAY_SERIAL: '7'.repeat(40),
      WECHAT_PAY_KEY: join(folder, 'key.pem'),
      WECHAT_PAY_V3_KEY: 'v3secret'.repeat(4),
      WECHAT_PAY_PUBLIC_KEY: join(folder, 'public.pem'),
      WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_0119',
    }
    expect(readConfig(all).wechat_pay).toMatchObject({
      mchid: '1900000001',
      public_key_id: 'PUB_KEY_ID_0119',
    })
    expect(readConfig({}).wechat_pay).toBeNull()
    for (const name of Object.keys(all)) {
      const [fault, ...more] = faultsOf({ ...all, [name]: '' })
      expect([fault, more]).toEqual([
        expect.stringMatching(new RegExp(`^${name}: missing.*微信支付`)),
        [],
      ])
    }
    expect(faultsOf({ ...all, WECHAT_PAY_KEY: join(folder, 'none.pem') })[0]).toContain(
      'there is no such file',
    )
    expect(faultsOf({ ...all, WECHAT_PAY_KEY: join(folder, 'empty.pem') })[0]).toContain(
      'no key can be read',
    )
    expect(faultsOf({ ...all, WECHAT_PAY_V3_KEY: 'v3secret' }).join()).not.toContain('v3secret')
    rmSync(folder, { recursive: true })
  })
  it('of WeCom belong together: what is missing is named, and no secret is shown', () => {
    const all = {
      WECOM_CORP_ID: 'ww0123456789abcdef',
      WECOM_CONTACT_SECRET: 'contact-secret-0123456789',
      WECOM_API_URL: 'https://proxy.example.com/',
      WECOM_CALLBACK_TOKEN: 'callbackToken',
      WECOM_CALLBACK_KEY: 'k'.repeat(43),
    }
    expect(readConfig(all).wecom).toEqual({
      keys: { corp_id: all.WECOM_CORP_ID, secret: all.WECOM_CONTACT_SECRET },
      api: 'https://proxy.example.com',
      callback: { token: 'callbackToken', aes_key: 'k'.repeat(43) },
    })
    const { WECOM_CORP_ID, WECOM_CONTACT_SECRET } = all
    expect(readConfig({ WECOM_CORP_ID, WECOM_CONTACT_SECRET }).wecom).toEqual({
      keys: { corp_id: WECOM_CORP_ID, secret: WECOM_CONTACT_SECRET },
      callback: null,
    })
    expect(readConfig({}).wecom).toBeNull()
    for (const name of ['WECOM_CONTACT_SECRET', 'WECOM_CALLBACK_TOKEN', 'WECOM_CALLBACK_KEY'])
      expect(faultsOf({ ...all, [name]: '' })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: missing`)),
      ])
    expect(faultsOf({ ...all, WECOM_CORP_ID: '', WECOM_CONTACT_SECRET: '' })).toEqual([
      expect.stringMatching(/^WECOM_CORP_ID: missing/),
    ])
    const shown = faultsOf({ ...all, WECOM_CONTACT_SECRET: 'hunter2', WECOM_CALLBACK_KEY: 'k3y' })
    expect(shown.join()).not.toMatch(/hunter2|k3y/)
  })
  it('say where licences are read: here unless said otherwise', () => {
    const of = (MALLET_LICENCE: string) => readConfig({ MALLET_LICENCE }).licence
    expect(['', 'none', 'https://ocr.example.com/x'].map(of)).toEqual([
      'embedded',
      'none',
      new URL('https://ocr.example.com/x'),
    ])
  })
  it('do not overlook a misspelt name', () => {
    expect(faultsOf({ MALLET_SIMULATER: 'off' })[0]).toContain('there is no such setting')
  })
  it('stand in the table, every one', () => {
    for (const name of Object.keys(settings)) expect(settingsTable()).toContain(`\`${name}\``)
  })
})

it('the README tells of every setting in the words of the server', () => {
  // The formatter pads the cells of a table.
  const readme = readFileSync('README.md', 'utf8').replace(/ {2,}/g, ' ')
  for (const [name, { about, initial }] of Object.entries(settings))
    expect(readme).toContain(`| \`${name}\` | ${initial || '–'} | ${about} |`)
})
