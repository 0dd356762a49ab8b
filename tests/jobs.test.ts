import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobs } from './e2e/jobs.ts'

const folder = join(import.meta.dirname, 'e2e')
const texts = new Map(
  readdirSync(folder)
    .filter(file => file.endsWith('.e2e.ts'))
    .map(file => [file.slice(0, -'.e2e.ts'.length), readFileSync(join(folder, file), 'utf8')]),
)
/** The journeys of main jobs in a file, each from its title to where the next test begins. */
const journeysIn = (text: string) =>
  text.split(/^(?=(?:\w+)\()/m).flatMap(part => {
    const title = /^job\(\s*'((?:[^'\\]|\\.)*)'/.exec(part)?.[1]
    return title === undefined ? [] : [[title, part] as const]
  })
const found = [...texts].flatMap(([file, text]) =>
  journeysIn(text).map(([title, body]) => ({ title, file, body })),
)
/** What moves a pointer, or does what only a pointer or a script can. */
const byHand =
  /\.(?:click|dblclick|tap|hover|check|uncheck|setChecked|fill|clear|focus|selectOption|dragTo|dispatchEvent|setInputFiles)\(|\.(?:mouse|touchscreen)\b/

describe('the main jobs', () => {
  test('are twenty and the undoing of a bulk, each listed once', () => {
    expect(jobs).toHaveLength(21)
    expect(new Set(jobs.map(([title]) => title)).size).toBe(21)
  })
  test('each have their journey, and every journey of a main job is listed', () => {
    expect(found.map(({ title, file }) => `${file}: ${title}`).sort()).toEqual(
      jobs.map(([title, file]) => `${file}: ${title}`).sort(),
    )
  })
  test.each(jobs)('%s: not a step of it is taken otherwise than by keys', (title, file) => {
    // Helpers of its file are steps too; tests beside it are not.
    const text = texts.get(file)!
    const others = text
      .split(/^(?=(?:\w+)\()/m)
      .filter(part => /^(?:test|keyboardTest|job)\(/.test(part) && !part.includes(title))
    const steps = others.reduce((left, part) => left.replace(part, ''), text)
    expect(steps).toContain(title)
    expect(steps.split('\n').filter(line => byHand.test(line))).toEqual([])
  })
  test('a step by hand is seen', () => {
    expect(
      [
        'await page.getByRole("button").click()',
        'await page.mouse.move(1, 1)',
        'await box.check()',
      ].map(line => byHand.test(line)),
    ).toEqual([true, true, true])
    expect(
      ['await page.keyboard.press("Enter")', 'await expect(grid).toBeFocused()'].map(line =>
        byHand.test(line),
      ),
    ).toEqual([false, false])
  })
})
