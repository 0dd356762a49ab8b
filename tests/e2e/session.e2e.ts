import { spawn } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import {
  startsWithZeros,
  WORK_BYTES,
  WORK_COST,
  type Challenge,
} from '#src/areas/people/proofOfWork.ts'
import {
  codes,
  endSession,
  enter,
  focusedRow,
  keys,
  PASSWORD,
  settled,
  signIn,
  standIn,
  test,
  toasts,
  tokenIn,
} from './desk.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const typeIn = async (page: Page, account: string, password: string) => {
  await field(page, '账号').fill(account)
  await field(page, '密码').fill(password)
  await page.keyboard.press('Enter')
}
/** So many tries are soon done by a browser that does not optimize what it compiles. */
const FEW_TRIES = 16
const isEasy = ({ captcha_id, bits }: Challenge) =>
  Array.from({ length: FEW_TRIES }, (_, n) => String(n)).some(tried =>
    startsWithZeros(scryptSync(tried, captcha_id, WORK_BYTES, WORK_COST), bits),
  )
/** Hands the page the first challenge of the server's of which an answer is found among few. */
const easyChallenges = (page: Page) =>
  page.route(/\/getCaptcha/, async route => {
    for (;;) {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: Challenge }
      if (isEasy(data)) return route.fulfill({ response })
    }
  })
const ended = (page: Page) => page.getByRole('dialog', { name: '确认退出？' })
const words = (page: Page) => page.getByRole('textbox', { name: '原因说明' })

test('a wrong password is said at the form, the account stays; from the third on the browser does work', async ({
  page,
}) => {
  await easyChallenges(page)
  await page.goto('/')
  // Nobody has this account: it is refused and locked as a known one would be.
  await typeIn(page, 'nobody-here', 'Wrong#2026')
  await expect(page.locator('.s-fault')).toContainText('账号或密码错误')
  await expect(field(page, '账号')).toHaveValue('nobody-here')
  await expect(field(page, '密码')).toBeFocused()
  await typeIn(page, 'nobody-here', 'Wrong#2027')
  await expect(page.locator('.s-fault')).toHaveText(/^\D*3 次$/)
  await expect(toasts(page).filter({ hasText: '3 次' })).toHaveText(/^\D*3 次\D*$/)
  await typeIn(page, 'nobody-here', 'Wrong#2028')
  await expect(page.locator('.s-fault')).toHaveText(/^\D*2 次$/)
  const proved = page.waitForRequest(asked => /"captcha":"\d+"/.test(asked.postData() ?? ''))
  await typeIn(page, 'nobody-here', 'Wrong#2029')
  await proved
  await expect(page.locator('.s-fault')).toHaveText(/^\D*1 次$/)
  await expect(field(page, '账号')).toHaveValue('nobody-here')
  await field(page, '密码').fill('有中文')
  await page.keyboard.press('Enter')
  await expect(page.getByText('密码为 6–16 位字母、数字或特殊字符')).toBeVisible()
})

test('an initial password lets nobody in before it is changed', async ({ page }, info) => {
  // How long a busy machine takes to make a database is not what is tested.
  test.setTimeout(240_000)
  // A server of its own without demo data: its first administrator has a one-time password.
  const port = Number(new URL(info.project.use.baseURL!).port) + 1
  const server = spawn(process.execPath, ['dist/server/serve.js'], {
    env: {
      ...process.env,
      PORT: String(port),
      MALLET_DATA: info.outputPath('data'),
      MALLET_DEMO: 'off',
      MALLET_LOG: 'silent',
      MALLET_ADMIN_PASSWORD: '',
      DATABASE_URL: '',
    },
  })
  try {
    let said = ''
    const password = await new Promise<string>((found, failed) => {
      const read = (part: Buffer) => {
        said += String(part)
        const match = /one-time password (\S+)/.exec(said)
        if (match) found(match[1]!)
      }
      server.stdout.on('data', read)
      server.stderr.on('data', read)
      server.on('exit', () => failed(new Error(said)))
    })
    await page.goto(`http://127.0.0.1:${port}/`)
    await typeIn(page, 'admin', password)
    await expect(page.locator('[name=fresh]')).toBeFocused()
    await page.locator('[name=fresh]').fill(password)
    await page.locator('[name=again]').fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('新密码不能与旧密码相同')).toBeVisible()
    await page.locator('[name=fresh]').fill('Own#Pass1')
    await page.locator('[name=again]').fill('Own#Pass2')
    await page.keyboard.press('Enter')
    await expect(page.getByText('两次输入不一致')).toBeVisible()
    await page.locator('[name=again]').fill('Own#Pass1')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/manage$/)
    await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
  } finally {
    const gone = new Promise(done => server.on('exit', done))
    server.kill('SIGTERM')
    await gone
  }
})

test('who is signed in already does not see the sign-in page', async ({ page }) => {
  await enter(page, 'auditor', '/')
  await expect(page).toHaveURL(/\/manage$/)
  await page.goto('/?to=%2Fmanage%2Faudit%2Fcard%3Fflagged%3D1')
  await expect(page).toHaveURL(/\/manage\/audit\/card\?flagged=1$/)
  await page.goto('/?to=https%3A%2F%2Fexample.com')
  await expect(page).toHaveURL(/\/manage/)
})

/** Two panes, a filter, the third row, and a reject reason half written. */
const halfWay = async (page: Page) => {
  await signIn(page, 'supervisor')
  await page.goto('/manage/audit/product?sort=newest')
  await settled(page)
  await keys(page, 'w v')
  await keys(page, 'g a b')
  await settled(page)
  await keys(page, 'w h')
  await keys(page, 'j j')
  const row = (await focusedRow(page, page.locator('[data-pane=p1]')).getAttribute(
    'aria-rowindex',
  ))!
  await page.keyboard.press('r')
  await expect(codes(page).first()).toBeFocused()
  await page.keyboard.press('2')
  await expect(words(page)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('，门店招牌与营业执照')
  const typed = await words(page).inputValue()
  expect(typed).toMatch(/，门店招牌与营业执照$/)
  return { row, typed }
}

test('a login that expires asks once, lets the page be read, and gives everything back', async ({
  page,
}) => {
  // Here the calls are to find out, not the line that tells.
  await page.route('**/api/manageback/events', route => route.abort())
  const { row, typed } = await halfWay(page)
  const token = await tokenIn(page)
  // As the decision arrives: whatever the page asks by itself would find out before, and the Enter
  // would answer the dialog.
  await standIn(page, '**/audit/product/reject', async route => {
    await endSession(page, token)
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await expect(ended(page)).toBeVisible()
  await expect(ended(page)).toContainText('登录已失效')
  // More calls fail: still one dialog, and one message that counts them.
  await page.evaluate(() => {
    for (let i = 0; i < 5; i++) window.dispatchEvent(new Event('online'))
  })
  await expect(page.locator('dialog[open]')).toHaveCount(1)
  await expect(toasts(page).filter({ hasText: /登录|失效|退出/ })).toHaveCount(1)
  await ended(page).getByRole('button', { name: '取消' }).click()
  await expect(ended(page)).toHaveCount(0)
  await expect(words(page)).toHaveValue(typed)
  await expect(page.getByText('登录已失效，当前内容只供查看。')).toBeVisible()
  await expect(page.locator('[data-pane=p1]').getByRole('grid')).toBeVisible()
  await page.getByRole('button', { name: '重新登录' }).click()
  await expect(field(page, '密码')).toBeFocused()
  await expect(field(page, '账号')).toHaveValue('supervisor')
  await expect(page).toHaveURL(url => url.pathname === '/')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/manage\/audit\/product\?sort=newest$/)
  await expect(page.locator('[data-pane]:visible')).toHaveCount(2)
  await expect(words(page)).toHaveValue(typed)
  await expect(focusedRow(page, page.locator('[data-pane=p1]'))).toHaveAttribute(
    'aria-rowindex',
    row,
  )
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('another person who signs in gets none of it', async ({ page }) => {
  const { typed } = await halfWay(page)
  // The draft is kept a moment after the last letter.
  await page.waitForTimeout(400)
  await endSession(page, await tokenIn(page))
  await expect(ended(page).getByRole('button', { name: '重新登录' })).toBeFocused()
  await page.keyboard.press('Enter')
  await typeIn(page, 'auditor', PASSWORD)
  await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()
  await expect(page).toHaveURL(/\/manage$/)
  await expect(page.locator('[data-pane]:visible')).toHaveCount(1)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const left = await page.evaluate(
    () =>
      new Promise<unknown[]>(done => {
        const open = indexedDB.open('keyval-store')
        open.onsuccess = () => {
          const all = open.result.transaction('keyval').objectStore('keyval').getAllKeys()
          all.onsuccess = () => done(all.result)
        }
        open.onerror = () => done([])
        open.onupgradeneeded = () => open.transaction!.abort()
      }),
  )
  expect(left.filter(key => String(key).startsWith('draft:'))).toEqual([])
  expect(await page.locator('body').innerText()).not.toContain(typed)
})

test('a reload keeps layout, filters, selection, focus and scroll', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 640 })
  await enter(page, 'auditor', '/manage/audit/bulks?state=approved&sort=newest')
  await settled(page)
  await keys(page, 'x j j x')
  for (let i = 0; i < 18; i++) await page.keyboard.press('j')
  await keys(page, 'w v')
  await keys(page, 'g a c')
  await settled(page)
  await keys(page, 'w m')
  await expect(page.locator('[data-pane]:visible')).toHaveCount(1)
  await keys(page, 'w m')
  await keys(page, 'w h')
  const look = () =>
    page.evaluate(() => {
      const pane = document.querySelector('[data-pane=p1]')!
      const row = pane.querySelector('.m-grid-row[data-focused]')
      return {
        panes: document.querySelectorAll('[data-pane]').length,
        row: row?.getAttribute('aria-rowindex'),
        top: Math.round(pane.querySelector('.m-grid')?.scrollTop ?? -1),
        chosen: pane.querySelector('.m-selected-bar span')?.textContent,
        url: location.pathname + location.search,
      }
    })
  await expect.poll(async () => (await look()).top).toBeGreaterThan(0)
  // The address of a pane follows its painting.
  await expect.poll(look).toMatchObject({
    panes: 2,
    row: '22',
    chosen: '已选 2 项',
    url: '/manage/audit/bulks?state=approved&sort=newest',
  })
  const before = await look()
  await page.waitForTimeout(400)
  await page.reload()
  await settled(page)
  await expect.poll(look).toEqual(before)
})
