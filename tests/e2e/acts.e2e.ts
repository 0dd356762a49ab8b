import { expect, type Locator } from '@playwright/test'
import { complaints, enter, settled, test } from './desk.ts'

const boxOf = async (of: Locator) => (await of.boundingBox())!
/** The box once the detail beside the list has taken the width that it asks for. */
const stillBoxOf = async (of: Locator) => {
  const widthLater = () =>
    of.evaluate(async row => {
      for (let n = 0; n < 20; n++) await new Promise(requestAnimationFrame)
      return row.getBoundingClientRect().width
    })
  await expect.poll(async () => (await boxOf(of)).width === (await widthLater())).toBe(true)
  return boxOf(of)
}
const label = (of: Locator) => of.getByRole('gridcell').nth(1).textContent()

test('what can be done with a row is offered where the pointer rests, beside its numbers, and in a column by choice', async ({
  page,
}) => {
  const found = complaints(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, 'admin', '/manage/system/staff')
  await settled(page)
  const rows = page.locator('.m-grid-row')
  const [row, other] = [rows.nth(2), rows.nth(5)]
  const offer = page.locator('.m-row-offer')
  const before = await stillBoxOf(row)
  await page.mouse.move(before.x + 80, before.y + before.height / 2)
  await expect(offer).toBeVisible()
  expect(await boxOf(row)).toEqual(before)
  const at = await boxOf(offer)
  expect(at.y >= before.y && at.y + at.height <= before.y + before.height).toBe(true)
  // No number, state or moment of the row is under it.
  const covered = await row.evaluate(
    (line, { x, width }) =>
      [...line.querySelectorAll('.m-num, time, .m-badge')]
        .filter(one => {
          const { left, right } = one.getBoundingClientRect()
          return right > x && left < x + width
        })
        .map(one => one.textContent),
    at,
  )
  expect(covered).toEqual([])
  // It goes along with the pointer.
  const next = await boxOf(other)
  await page.mouse.move(next.x + 80, next.y + next.height / 2)
  await expect.poll(async () => (await offer.boundingBox())?.y).toBeCloseTo(next.y, 0)
  await page.mouse.move(4, 4)
  await expect(offer).toHaveCount(0)

  await page.getByRole('grid').focus()
  await page.keyboard.press('Shift+Q')
  const choice = page.getByRole('option', { name: '操作' })
  await choice.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: '操作' })).toBeVisible()
  const name = await label(other)
  await other.getByRole('button', { name: '编辑资料' }).click()
  const dialog = page.getByRole('dialog', { name: /编辑资料/ })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('textbox').first()).toHaveValue(name!.trim())
  await page.keyboard.press('Escape')
  await expect(other).toHaveAttribute('data-focused', 'true')
  await other.getByRole('button', { name: '此行的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '编辑资料' })).toBeVisible()
  expect(found).toEqual([])
})
