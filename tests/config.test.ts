import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BadConfig, readConfig, settings, settingsTable } from '#src/server/config.ts'

const faultsOf = (env: Record<string, string>) => {
  try { readConfig(env, '/srv'); return [] } catch (error) { return (error as BadConfig).faults }
}

describe('settings', () => {
  it('have their defaults: embedded, on this machine only, demo and simulator on', () => {
    expect(readConfig({}, '/srv')).toMatchObject({ port: 4180, host: '127.0.0.1', data: '/srv/data', database_url: null, manageback_url: null, demo: true, simulator: true, admin_password: null })
  })
  it('never put demo accounts into a PostgreSQL of one’s own', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u:p@db/mallet' })).toMatchObject({ demo: false, simulator: false })
    expect(faultsOf({ DATABASE_URL: 'postgres://u:p@db/mallet', MALLET_DEMO: 'on' })).toHaveLength(1)
  })
  it.each([['PORT', '65536'], ['PORT', '80a'], ['MALLET_DEMO', 'yes'], ['MANAGEBACK_URL', 'ftp://x'], ['DATABASE_URL', 'mysql://root:secret@db'], ['MALLET_SCALE', '0'], ['MALLET_ADMIN_PASSWORD', 'short']])('refuse %s=%s, name it and say how to mend it', (name, value) => {
    const [fault, ...more] = faultsOf({ [name]: value })
    expect(more).toEqual([])
    expect(fault).toMatch(new RegExp(`^${name}`))
    expect(fault).toContain('For example')
  })
  it('never show a secret, and tell all faults at once', () => {
    const faults = faultsOf({ PORT: 'x', DATABASE_URL: 'mysql://root:hunter2@db', MALLET_ADMIN_PASSWORD: 'abc' })
    expect(faults).toHaveLength(3)
    expect(faults.join()).not.toMatch(/hunter2|=abc/)
  })
  it('do not overlook a misspelt name', () => {
    expect(faultsOf({ MALLET_SIMULATER: 'off' })[0]).toContain('there is no such setting')
  })
  it('stand in the table, every one', () => {
    for (const name of Object.keys(settings)) expect(settingsTable()).toContain(`\`${name}\``)
  })
})

it('the README tells of every setting in the words of the server', () => {
  const readme = readFileSync('README.md', 'utf8')
  for (const [name, { about, initial }] of Object.entries(settings)) expect(readme).toContain(`| \`${name}\` | ${initial || '–'} | ${about} |`)
})
