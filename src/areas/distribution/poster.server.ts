import QRCode from 'qrcode'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, sign => `&#${sign.codePointAt(0)!};`)
/** A text in lines of so many characters, at most two. */
const inLines = (text: string, width: number): string[] => {
  const signs = [...text]
  const first = signs.slice(0, width).join('')
  const rest = signs.slice(width)
  if (rest.length === 0) return [first]
  return [first, rest.length > width ? `${rest.slice(0, width - 1).join('')}…` : rest.join('')]
}
const WIDTH = 600
const HEIGHT = 800
const CODE = 260
/**
 * A seller's poster of a product as an SVG: its title, its price, whose it is, and a code that opens
 * the product with the seller's invite code.
 */
export const posterOf = async (of: {
  title: string
  price: string
  seller: string
  link: string
}): Promise<string> => {
  const code = await QRCode.toString(of.link, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })
  const inner = code
    .replace(/<\?xml[^>]*>/, '')
    .replace(
      '<svg ',
      `<svg x="${WIDTH - CODE - 40}" y="${HEIGHT - CODE - 60}" width="${CODE}" height="${CODE}" `,
    )
  const lines = inLines(of.title, 16)
    .map((line, at) => `<text x="40" y="${130 + at * 52}" font-size="36">${escaped(line)}</text>`)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="PingFang SC, Noto Sans CJK SC, Microsoft YaHei, sans-serif" fill="#1c2127"><rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/><rect width="${WIDTH}" height="16" fill="#215db0"/>${lines}<text x="40" y="280" font-size="56" fill="#cd4246">¥${escaped(of.price)}</text><text x="40" y="${HEIGHT - 200}" font-size="26">${escaped(of.seller)}</text><text x="40" y="${HEIGHT - 155}" font-size="22" fill="#5f6b7c">微信扫码，立即购买</text>${inner}</svg>`
}
