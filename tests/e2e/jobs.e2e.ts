import { expect } from '@playwright/test'
import { test, withoutMouse } from './desk.ts'

test('a pointer that reaches a page by keyboard alone is heard, whatever became of the page since; keys are not taken for one', async ({
  page,
  context,
}) => {
  const heard = await withoutMouse(context)
  await page.goto('/')
  const field = page.getByLabel('账号', { exact: true })
  await expect(field).toBeFocused()
  await page.keyboard.type('auditor')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await field.evaluate((node: HTMLElement) => {
    node.click()
  })
  expect(heard).toEqual([])
  await page.mouse.click(300, 300)
  await expect
    .poll(() => heard.map(one => one.split(' ')[0]))
    .toEqual(['pointerdown', 'mousedown', 'click'])
  await page.reload()
  await expect(field).toBeFocused()
  await page.mouse.wheel(0, 10)
  await expect
    .poll(() => heard.map(one => one.split(' ')[0]))
    .toEqual(['pointerdown', 'mousedown', 'click', 'wheel'])
})
