import { expect } from '@playwright/test'
import { prefixNow } from './codePrefix.ts'
import { complaints, enter, keyboardTest as test, settled, write } from './desk.ts'

test('a form begins at its first field, and goes on at what it was refused for, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  const name = `对焦批次${String(Date.now()).slice(-7)}`
  await enter(page, 'admin', '/manage/redeemCode/index')
  await settled(page)
  await page.keyboard.press('c')
  const form = page.getByRole('form', { name: '新增兑换码批次' })
  const field = (label: RegExp) => form.getByRole('textbox', { name: label })
  await expect(field(/^批次名称/)).toBeFocused()
  await page.keyboard.type(name)

  // What the form finds itself.
  await page.keyboard.press('Control+Enter')
  await expect(field(/^合作方/)).toBeFocused()
  await expect(field(/^合作方/)).toHaveAccessibleDescription(/\S/)
  await page.keyboard.type('某某银行')
  await write(page, /^数量/, '5', form)
  await write(page, /^前缀/, prefixNow(), form)
  await write(page, /^积分$/, '20', form)
  await write(page, /^实物奖品/, '保温杯', form)
  await write(page, /^实物单件成本/, '8', form)
  await write(page, /^预算/, '1', form)
  await write(page, /^开始时间/, '2020-01-01 00:00', form)
  await write(page, /^结束时间/, '2030-03-01 00:00', form)
  await write(page, /^备注/, '写到最后', form)

  // What the server finds, a page further up.
  await page.keyboard.press('Control+Enter')
  await expect(field(/^预算/)).toBeFocused()
  await expect(field(/^预算/)).toBeInViewport({ ratio: 1 })
  await expect(field(/^预算/)).toHaveAccessibleDescription(/超出预算/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('100')

  // The form of the draft that it has become begins at its first field too.
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/redeemCode\/index\/edit\/\d+$/)
  const draft = page.getByRole('form', { name: '编辑兑换码批次' })
  await expect(draft.getByRole('textbox', { name: /^批次名称/ })).toBeFocused()
  await expect(draft.getByRole('textbox', { name: /^批次名称/ })).toHaveValue(name)
  expect(found.filter(one => !/422|400/.test(one))).toEqual([])
})
