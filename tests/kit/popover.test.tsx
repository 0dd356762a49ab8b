import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Popover } from '#src/kit/popover.tsx'

afterEach(cleanup)
const Screen = ({ name }: { name: string }) => {
  const [open, show] = useState(false)
  return (
    <>
      <div
        role="grid"
        tabIndex={0}
        aria-label={`列表 ${name}`}
        onKeyDown={event => {
          if (event.key === 'w') show(true)
        }}
      />
      <Popover
        isOpen={open}
        show={show}
        placement="bottom-end"
        content={
          <div
            role="listbox"
            tabIndex={0}
            aria-label={name}
            ref={focused}
            onKeyDown={event => {
              if (event.key === '1') show(false)
            }}
          />
        }
      >
        <button>打开 {name}</button>
      </Popover>
    </>
  )
}
const focused = (list: HTMLElement | null) => list?.focus()
const list = (name: string) => screen.getByRole('grid', { name: `列表 ${name}` })
const press = (key: string) =>
  act(async () => {
    fireEvent.keyDown(document.activeElement!, { key })
  })
const opened = async (name: string) => {
  act(() => list(name).focus())
  await press('w')
  expect(document.activeElement).toBe(await screen.findByRole('listbox', { name }))
}
const later = () =>
  act(async () => {
    await new Promise(done => setTimeout(done, 450))
  })

test.each([
  ['Escape', 'Escape'],
  ['a choice', '1'],
])('closed by %s, the focus is where it was in the same turn, and stays there', async (_, key) => {
  render(<Screen name="视图" />)
  await opened('视图')
  await press(key)
  expect(document.activeElement).toBe(list('视图'))
  await later()
  expect(document.activeElement).toBe(list('视图'))
})
test('closed before the next picture, it takes the focus from nowhere as it goes away', async () => {
  const pictures: FrameRequestCallback[] = []
  const held = vi
    .spyOn(window, 'requestAnimationFrame')
    .mockImplementation(picture => pictures.push(picture))
  render(<Screen name="视图" />)
  await opened('视图')
  await press('Escape')
  await act(async () => {
    for (const picture of pictures.splice(0)) picture(performance.now())
  })
  held.mockRestore()
  expect(document.activeElement).toBe(list('视图'))
})
test('what opens with the very next key keeps the focus while the first one goes away', async () => {
  render(
    <>
      <Screen name="时间" />
      <Screen name="视图" />
    </>,
  )
  await opened('时间')
  await press('1')
  await opened('视图')
  await later()
  expect(document.activeElement).toBe(screen.getByRole('listbox', { name: '视图' }))
})
test('opened again while it still goes away, what is in it has the focus again, and gives it back', async () => {
  render(<Screen name="视图" />)
  await opened('视图')
  await press('Escape')
  await opened('视图')
  await later()
  expect(document.activeElement).toBe(screen.getByRole('listbox', { name: '视图' }))
  await press('1')
  expect(document.activeElement).toBe(list('视图'))
})

/**
 * Dialogs and drawers that are drawn open are taken away whole: Blueprint has no turn left to give
 * the focus back.
 */
const drawnOpen = (text: string) => text.match(/<(?:Dialog|Drawer)\s+isOpen\s/g)?.length ?? 0
const lost = (text: string) => drawnOpen(text) > (text.match(/\buseReturnFocus\(\)/g)?.length ?? 0)
test('every dialog that is taken away whole gives the focus back', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.tsx'))
    .map(file => [file, readFileSync(join(src, file), 'utf8')] as const)
  expect(files.filter(([, text]) => drawnOpen(text) > 0).length).toBeGreaterThan(15)
  // Whoever hears what becomes of a half written form gives it back.
  expect(
    files.filter(([file, text]) => lost(text) && file !== 'kit/leaving.tsx').map(([file]) => file),
  ).toEqual([])
  expect([
    lost('<Dialog isOpen title="a">'),
    lost('useReturnFocus()\n<Drawer isOpen >'),
    lost('<Dialog isOpen={shown} >'),
  ]).toEqual([true, false, false])
})
