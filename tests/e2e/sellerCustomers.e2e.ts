import { expect } from '@playwright/test'
import { complaints, enter, keyboardTest as test, sayYes, settled, toasts } from './desk.ts'

type Shop = { status: string; paused: boolean; store_status: string }

test('a customer is extended, transferred, and transferred again once another person agrees, by keys alone', async ({
  page,
  colleague,
}) => {
  const found = complaints(page)
  // Whoever has slept for 90 days is no longer protected.
  await enter(page, 'admin', '/manage/distribution/index/customer?asleep=1&role=expert')
  await settled(page)
  const dialog = page.getByRole('dialog')
  const detail = page.getByRole('article')
  const send = async () => {
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
  const why = async (text: string) => {
    await dialog.getByRole('textbox', { name: '原因' }).focus()
    await page.keyboard.type(text)
  }
  await page.keyboard.press('j')
  await expect(detail).toBeVisible()
  const customer = (await detail.getByRole('heading', { level: 3 }).first().textContent())!

  await page.keyboard.press('e')
  await dialog.getByRole('textbox', { name: '延长天数' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('10')
  await why('客户沟通中')
  await send()

  const transfer = async () => {
    await page.keyboard.press('t')
    await dialog.getByRole('combobox', { name: '转给' }).focus()
    await expect(dialog.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await why('旅程：客户要求更换')
    await send()
  }
  await transfer()

  // The one that was made now is protected: another person decides on it.
  await page.goto('/manage/distribution/index/customer?status=active&source=admin')
  await settled(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: customer, exact: true })).toBeVisible()
  await page.keyboard.press('v')
  await expect(detail.getByText('旅程：客户要求更换').first()).toBeVisible()
  await transfer()
  await expect(toasts(page).getByText('已提交，等待另一人复核')).toBeVisible()
  await page.keyboard.press('2')
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: customer, exact: true })).toBeVisible()

  const other = await colleague()
  await enter(other, 'supervisor', '/manage/distribution/index/customer?view=asks')
  await settled(other)
  await other.keyboard.press('j')
  await other.keyboard.press('k')
  await expect(other.getByRole('heading', { name: customer, exact: true })).toBeVisible()
  await other.keyboard.press('a')
  await sayYes(other)
  await expect(other.getByRole('article').getByText('已转移').first()).toBeVisible()
  expect(found).toEqual([])
})

test('customers of a team are spread, and a guide’s customer is compared and goes back to the store, by keys alone', async ({
  page,
}) => {
  const found = complaints(page)
  await enter(page, 'admin', '/manage/distribution/index/group/customer?group_id=1&status=active')
  await settled(page)
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: '成员客户分布' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.keyboard.press('s')
  const window = page.getByRole('dialog')
  await expect(window.getByText(/将转移 \d+ 位客户，跳过 \d+ 位/)).toBeVisible()
  await window.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('旅程：均分')
  await page.keyboard.press('Control+Enter')
  await expect(window).toHaveCount(0)
  await expect(toasts(page).getByText(/已转移 \d+ 位客户，\d+ 位未动/)).toBeVisible()

  // A guide with customers, whoever that is.
  const guide = await page.evaluate(async () => {
    const said = await fetch('/api/manageback/distribution/index/guideBindingCustomer/guides', {
      headers: { 'Authori-zation': `Bearer ${localStorage.getItem('token')}` },
    })
    const { data } = (await said.json()) as {
      data: { list: { id: number; customer_count: number }[] }
    }
    return data.list.find(one => one.customer_count > 0)!.id
  })
  await page.goto(`/manage/distribution/index/guideDetail?id=${guide}`)
  await settled(page)
  await page.keyboard.press('r')
  await window.getByRole('textbox', { name: '比例' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2.5')
  await window.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('旅程：季度调整')
  await page.keyboard.press('Control+Enter')
  await expect(window).toHaveCount(0)
  await expect(page.getByText('2.50%')).toBeVisible()

  await page.keyboard.press('c')
  await settled(page)
  await page.goto(`/manage/distribution/index/guideBindingCustomer?id=${guide}&status=active`)
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  const customer = await page.getByRole('article').getByRole('heading').first().textContent()
  await page.keyboard.press('o')
  await expect(page.getByText('一笔订单只付一位，按此顺序')).toBeVisible()
  await page.keyboard.press('p')
  await window.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('旅程：导购调岗')
  await page.keyboard.press('Control+Enter')
  await expect(window).toHaveCount(0)
  await page.goto(`/manage/distribution/index/guideBindingCustomer?id=${guide}&status=unbound`)
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: customer! })).toBeVisible()
  await expect(page.getByRole('article').getByText('门店客户池')).toBeVisible()

  // A store that sells for others pauses, and sells again.
  const shop = await page.evaluate(async () => {
    const ask = async (path: string) => {
      const said = await fetch(`/api/manageback/distribution/index/distStoreDetail/${path}`, {
        headers: { 'Authori-zation': `Bearer ${localStorage.getItem('token')}` },
      })
      return ((await said.json()) as { data: { list: { id: number }[]; row: Shop } }).data
    }
    for (const { id } of (await ask('stores')).list) {
      const { row } = await ask(`detail?id=${id}`)
      if (row.status === 'active' && !row.paused && row.store_status === 'open') return id
    }
    return 0
  })
  await page.goto(`/manage/distribution/index/distStoreDetail?id=${shop}`)
  await settled(page)
  await page.keyboard.press('f')
  await window.getByRole('textbox', { name: '原因' }).focus()
  await page.keyboard.type('旅程：门店盘点')
  await page.keyboard.press('Control+Enter')
  await expect(window).toHaveCount(0)
  await expect(page.getByRole('article').getByText('暂停分销')).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByRole('article').getByText('暂停分销')).toHaveCount(0)
  expect(found).toEqual([])
})
