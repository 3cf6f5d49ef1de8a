import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keys, stdinOf, storeOf, tempStore, type Output } from '../helpers/store.ts';

test('what the index does not find, a scan does not find either', async () => {
  const word = fc.constantFrom(
    'getUserById',
    'user_id',
    'running',
    'ran',
    'v2.10.0',
    '0xFF',
    'Jäger',
    'ties',
    'C++',
    'mysql',
    'a',
    'it',
    '12',
    '数据库',
    '索引',
    '白鹭湾',
    '的',
    '网络',
    '백업',
    'オフ',
    '🟥',
    '⚠️',
    '@',
    'ＡＢＣ',
    'İstanbul',
    'database',
    'delete',
    'removed',
    '删除',
    '移除',
    '环境变量',
    'env',
    'is',
    'iesx',
    'ieds',
  );
  const text = fc.array(fc.oneof(word, fc.constantFrom(' ', '，', '-', '_', '.')), { minLength: 1, maxLength: 6 });
  const part = text.chain((words) => {
    const whole = words.join('');
    return fc
      .tuple(fc.nat(whole.length), fc.nat(whole.length))
      .map(([a, b]) => whole.slice(Math.min(a, b), Math.max(a, b)));
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(part, word), { minLength: 1, maxLength: 6 }),
      async (contents, queries) => {
        const texts = contents.map((words, at) => [`k${at}`, `x${words.join('')}`] as const);
        using store = await storeOf(Object.fromEntries(texts));
        for (const query of queries.filter((one) => one.trim() !== '' && one.isWellFormed())) {
          for (const match of ['any', 'all']) {
            if ((await store.run('search', { query, match })).total > 0) continue;
            expect([query, match, keys(await store.run('search', { query, match, engine: 'like' }))]).toEqual([
              query,
              match,
              [],
            ]);
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('the variation selector of an emoji makes no difference', async () => {
  using store = await storeOf({
    plain: 'a \u26a0 sign',
    styled: 'a \u26a0\ufe0f sign',
    other: 'all \u2714\ufe0f done',
  });
  for (const query of ['\u26a0', '\u26a0\ufe0f'])
    for (const match of ['any', 'all'])
      expect(keys(await store.run('search', { query, match })).toSorted()).toEqual(['plain', 'styled']);
});

describe('common words', () => {
  test.each([
    ['alpha beta', 'alpha', 'beta'],
    ['数据库 超时', '数据库', '超时'],
    ['超时的数据库', '数据库', '超时'],
  ])('%s: an item with both ranks first, however many have one, and whatever the limit', async (query, one, other) => {
    const texts: Record<string, string> = {};
    for (let at = 0; at < 6000; at += 1) {
      const word = at % 2 === 0 ? one : other;
      texts[`k${at}`] = `${word} note ${at} of ${at % 7} ${'filler '.repeat(at % 5)}`;
    }
    texts['k3000'] = `where ${one} is said, and later ${other}`;
    using store = await storeOf(texts);
    const all = keys(await store.run('search', { query }));
    expect(all[0]).toBe('k3000');
    for (const limit of [1, 2, 5, 10, 19])
      expect(keys(await store.run('search', { query, limit }))).toEqual(all.slice(0, limit));
    expect(keys(await store.run('search', { query, type: 'feature', limit: 1 }))).toEqual(['k3000']);
  });
});

describe('the only note with a word of a list of words ranks first, however many have the others', () => {
  test.each([
    '服务 超时 验签',
    '数据库 超时 定长',
    '定长 数据库 服务',
    '数据库 超时 定长？',
    '服务 超时 验签。',
    '布隆 数据库',
    'redis 验签 超时',
    '挂账 redis 数据库',
  ])('%s', async (query) => {
    const texts: Record<string, string> = {
      sign: '微信支付回调偶发失败：网关对报文做了重排，验签必须用原始报文，中间件放在最前面，不要改动顺序',
      fixed: '银行对账文件采用 GBK 编码，每一行定长 256 字节，第三列是交易流水号，末尾两列留空不用',
      bloom: '查询不存在的商品会直接打到后端，方案是布隆过滤器加上空值缓存六十秒，热点永不过期',
      book: '对账时多出的款项先挂账，短少的次日追缴，金额差一分钱多为四舍五入造成，月底统一处理',
    };
    for (let at = 0; at < 9; at += 1)
      texts[`k${at}`] = `值班 ${at}：服务超时，数据库和 redis 都看过，没有发现异常，继续观察`;
    for (let at = 0; at < 60; at += 1) texts[`n${at}`] = `第 ${at} 次会议纪要：讨论了页面配色与文案，下周再定`;
    const [rare = ''] = query.match(/验签|定长|布隆|挂账/) ?? [];
    using store = await storeOf(texts);
    expect(texts[keys(await store.run('search', { query }))[0] ?? '']).toContain(rare);
  });
});

describe('British and American spellings find each other, where items have both', () => {
  test.each([
    ['analyser', 'analyzers'],
    ['analysing', 'analyzed'],
    ['sanitised', 'sanitize'],
    ['summarisation', 'summarizes'],
    ['deserialise', 'deserializer'],
    ['standardised', 'standardize'],
    ['quantised', 'quantizing'],
    ['memoise', 'memoized'],
    ['personalised', 'personalize'],
    ['initialise', 'initializing'],
    ['neighbours', 'neighbor'],
    ['flavour', 'flavors'],
    ['centred', 'center'],
    ['defence', 'defense'],
    ['artefacts', 'artifact'],
    ['judgement', 'judgments'],
    ['programme', 'programs'],
    ['analogue', 'analog'],
  ])('%s, %s', async (british, american) => {
    using store = await storeOf({ a: `the ${british} of it`, b: `one ${american} here`, c: 'nothing of it' });
    for (const query of [british, american])
      for (const match of ['any', 'all'])
        for (const engine of ['fts', 'like']) {
          const found = keys(await store.run('search', { query, engine, match })).toSorted();
          expect([query, engine, match, found]).toEqual([query, engine, match, ['a', 'b']]);
        }
  });
});

/** A small deterministic generator of whole numbers below a bound. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test('the line of a long log is found by its words, among short notes that have some of them', async () => {
  const texts: Record<string, string> = {};
  const ticks = (name: string): string => Array.from({ length: 300 }, (_, at) => `INFO ${name} ${at} ok`).join('\n');
  texts['log'] = `${ticks('tick')}\nERROR lease lost during rollback\n${ticks('tock')}`;
  for (let at = 0; at < 120; at += 1) texts[`a${at}`] = `lease renewed by worker ${at}`;
  for (let at = 0; at < 60; at += 1) texts[`b${at}`] = `rollback of build ${at} done`;
  for (let at = 0; at < 600; at += 1) texts[`n${at}`] = `note ${at} about the order form`;
  using store = await storeOf(texts);
  for (const query of ['lease lost during rollback', '"lease lost"', 'ERROR lease lost', 'rollback lost lease'])
    expect([query, keys(await store.run('search', { query }))[0]]).toEqual([query, 'log']);
});

describe('a time as written by machines', () => {
  const texts = {
    log: '2026-07-06T02:45:46.491Z ERROR payment declined',
    build: 'build 20260706T024546Z done',
    other: 'at 07:12 of 2025-05-06, 33 of 44',
  };
  test.each([
    ['2026-07-06', ['log', 'build']],
    ['02:45', ['log']],
    ['02:45:46', ['log']],
    ['02:45:46.491', ['log']],
    ['2026-07-06 02:45:46', ['log']],
    ['2026-07-06T02:45:46.491Z', ['log']],
    ['2026-07-06T02:45', ['log']],
    ['20260706', ['build', 'log']],
    ['024546', ['build']],
    ['2025-05-06', ['other']],
  ])('is found by %s, by the index and by a scan', async (query, expected) => {
    using store = await storeOf(texts);
    for (const engine of ['fts', 'like'])
      expect([engine, keys(await store.run('search', { query, match: 'all', engine }))]).toEqual([engine, expected]);
    expect(keys(await store.run('search', { query }))[0]).toBe(expected[0]);
  });
});

describe('a number and its unit', () => {
  const texts = { mb: 'limit of 4 MB per message', min: 'ttl 5min', m: 'cpu 500m', s: 'waits 30s', heap: 'heap 100mb' };
  test.each([
    ['4MB', 'mb'],
    ['4 MB', 'mb'],
    ['5 min', 'min'],
    ['500 m', 'm'],
    ['30 s', 's'],
    ['30s', 's'],
    ['100 MB', 'heap'],
  ])('are found together or apart: %s', async (query, expected) => {
    using store = await storeOf({ ...texts, other: 'of 4 or 5 jobs; 500 of them' });
    for (const match of ['any', 'all']) {
      const found = await store.run('search', { query, match });
      expect([match, keys(found)[0], found.items[0].score > 0]).toEqual([match, expected, true]);
    }
  });
});

describe('a word and a number, or a number and a unit, find each other in every notation', () => {
  test.each([
    [['jdk1.8', 'JDK 1.8', 'JDK-1.8', 'jdk_1.8']],
    [['TLSv1.3', 'TLS1.3', 'TLS 1.3', 'TLS v1.3', 'tls-1.3']],
    [['Python3.11.4', 'Python 3.11.4', 'python-3.11.4', 'Python v3.11.4']],
    [['MySQL5.7', 'MySQL 5.7', 'mysql-5.7']],
    [['HTTP/3', 'http3', 'HTTP 3', 'http-3']],
    [['UTF-8', 'utf8', 'UTF 8']],
    [['Vue3', 'Vue 3', 'vue-3']],
    [['gradle 8', 'Gradle v8', 'gradle8', 'gradle-v8']],
    [['5 MiB', '5MiB', '5mib', '5 mb', '5 Mi', '5MB']],
    [['16G', '16 GB', '16gb', '16GiB', '16 gib', '16Gi']],
    [['3 kWh', '3kWh', '3kwh']],
    [['12 µA', '12µA', '12 uA', '12ua', '12 μA']],
    [['25 V', '25V', '25v']],
    [['2.5 kg', '2.5kg', '2.5 KG']],
    [['72 hours', '72H', '72h', '72小时']],
    [['0xDEADBEEF', 'deadbeef', '0xdeadbeef']],
    [['GPT-4o', 'gpt4o', 'GPT 4o']],
    [['7.3s', '7.3 s']],
    [['1.75GB', '1.75 GB', '1.75 gb']],
    [['1.7GB', '1.7 GB', '1.7-gb']],
    [['1.8 s', '1.8秒', '1.8 seconds', '1.8sec']],
    [['30 s', '30 秒', '30sec', '30 seconds']],
    [['500ms', '500毫秒', '500 milliseconds']],
    [['5 min', '5min', '5分钟', '5 minutes']],
    [['12h', '12小时', '12 hours', '12hrs']],
    [['3d', '3天', '3 days', '3days']],
    [['3,000 RPS', '3000 rps', '3000rps']],
    [['1,500 ms', '1500ms', '1500毫秒']],
    [['2026-04-05', '2026/4/5', '2026年4月5日', '2026年04月05日', '20260405', '2026.04.05']],
    [
      [
        '2026-04-05',
        'April 5, 2026',
        '5 April 2026',
        'Apr 05 2026',
        '5th of April, 2026',
        'apr 5th 2026',
        '5-Apr-2026',
      ],
    ],
    [['2026-11-20', '2026年11月20日', '20261120', 'November 20th 2026', '20 Nov. 2026']],
    [['2026/9/22', '22nd September, 2026', 'Sept 22, 2026', 'Sep 22 2026']],
    [['2026-05-03', '3 May 2026', 'may 3rd, 2026']],
    [['4月5日', '04月05日', '4 月 5 号', 'April 5', 'Apr 05', '5 april', 'the 5th of April']],
    [['2026年4月', '2026 年 04 月', 'April 2026', 'apr, 2026', '2026-04', '2026/04']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用${notation}，已测 ${at}`]);
    const others = { a: 'on 1 of 3', b: 'jdk 7 of 1.9', c: 'tls for v1', d: 'python 2 in 7 s', e: '5 GB, 75' };
    using store = await storeOf({ ...Object.fromEntries(texts), ...others });
    for (const query of notations)
      for (const match of ['any', 'all']) {
        const found = keys(await store.run('search', { query, match }));
        const first = match === 'all' ? found : found.slice(0, notations.length);
        expect([query, match, first.toSorted()]).toEqual([query, match, texts.map(([key]) => key)]);
      }
  });
});

// the signs of currencies are not in the index
describe('months find each other', () => {
  test.each([
    [['12月', '十二月', '12 月', 'December', 'Dec']],
    [['3月', '三月', '03月', 'March', 'march', 'mar']],
    [['9月', '九月', 'September', 'Sept', 'sep']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用 ${notation}，已测 ${at}`]);
    const others = { a: 'nothing of this', b: '5月', c: 'may it be so', d: '十月', e: 'January' };
    using store = await storeOf({ ...Object.fromEntries(texts), ...others });
    for (const query of notations) {
      const found = keys(await store.run('search', { query }));
      expect([query, found.slice(0, notations.length).toSorted()]).toEqual([query, texts.map(([key]) => key)]);
    }
  });
  test.each([
    ['the bill of May', ['Bill of May: 14', '五月的 bill', 'bill of 5月'], 'Bill of June: 15'],
    ['bill 5月', ['Bill in May: 14', '五月的 bill'], 'Bill in June: 15'],
    ['bill of December', ['bill on 2 December', 'bill of 12月3日'], 'bill of November'],
  ])('%s: the month tells', async (query, right, wrong) => {
    const notes = Object.fromEntries(right.map((text, at) => [`right${at}`, text]));
    using store = await storeOf({ wrong, ...notes, other: 'nothing of this', more: '其他说明' });
    const found = keys(await store.run('search', { query })).slice(0, right.length);
    expect(found.toSorted()).toEqual(Object.keys(notes));
  });
  test.each(['May I deploy', 'it may fail', 'MAY I'])('%s names no month', async (query) => {
    using store = await storeOf({ a: 'deploy and fail in 5月', b: 'of May' });
    expect(JSON.stringify(await store.run('search', { query, explain: true }))).not.toMatch(/"may"|5 月/);
  });
});

describe('durations find each other', () => {
  test.each([
    [['12h', '12小时', '12 hours', '12hrs', '十二小时', '12个小时', '720 min', '720 分钟']],
    [['150 min', '2.5h', '2.5 hours', '150 分钟', '两个半小时', '2 小时 30 分', '2h30m']],
    [['90 s', '1.5 min', '90 秒', '1 分 30 秒', '1m30s']],
    [['0.42 s', '420 ms', '420ms', '0.42 seconds']],
    [['30 min', '0.5 h', '半小时', '半个小时', 'half an hour', '30 分钟']],
    [['2 weeks', 'two weeks', '14 days', '两周', '14 天', '两星期']],
    [['3600 s', '1 h', '一小时', '60 minutes', '60m']],
    [['30 秒', '0.5 min', '半分钟', '30s']],
    [['7 days', '一周', '604,800 s', '168 hours']],
    [['90 min', '1个小时30分钟', '1 hour and 30 minutes', '1h30m']],
    [['86400 s', '1 day', '24 hours', '一天']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用了 ${notation}，已测`]);
    const others = { a: 'nothing of this', b: '5 天', c: 'half of it', d: '3.5 kg', e: 'two cats' };
    using store = await storeOf({ ...Object.fromEntries(texts), ...others });
    for (const query of notations) {
      const found = keys(await store.run('search', { query }));
      expect([query, found.slice(0, notations.length).toSorted()]).toEqual([query, texts.map(([key]) => key)]);
    }
  });
  test.each([
    ['150 min', ['15 min', '2.5 kg', '12.5h', '2 h']],
    ['2.5h', ['25 min', '1150 min', '2.15 h']],
    ['两周', ['两周年', '12 days', '114 days']],
    ['半小时', ['两个半小时', '30 days']],
    ['2 分 20 秒', ['2 分 02 秒', '1140 秒']],
    ['2.5小时', ['十二个半小时', '150 m cable', '150 m/s']],
    ['2天', ['第二天上线']],
    ['7天', ['第一周', '第 1 周']],
    ['90 min', ['1 host 30 machines', '1 http 30 mb', 'v90m']],
    ['140 s', ['2 months 20 systems']],
    ['48 hours', ['2-D array']],
    ['1 hour', ['twenty-one hours', 'speed 60 m/s']],
  ])('%s is not in %j', async (query, texts) => {
    using store = await storeOf(Object.fromEntries(texts.map((text, at) => [`k${at}`, `用了 ${text}`])));
    const { items } = await store.run('search', { query, explain: true });
    for (const { explain } of items) expect([query, explain.lexical_parts.phrases]).toEqual([query, 0]);
  });
});

describe('a number is not found in what is another one, or none', () => {
  test.each([
    ['100 W', ['100万条记录']],
    ['lamp 100W', ['共100万条']],
    ['20000', ['retention is 2w here', '12,0000', 'the 20,000.5 th', '120,000', '2.20,000']],
    ['2w', ['max 20000']],
    ['8080', ['8.08k users']],
    ['2020', ['2.02k lines']],
    ['30000', ['3万亿', '30,000,000', '130000', '30k3', '3e45']],
    ['3千', ['3千克', '3千米', '3千瓦']],
    ['eps 1e-16', ['value 0 here']],
    ['2e-13', ['value 0 here']],
    ['seed 9e30', ['the value was 30 there']],
    ['1,000,000,000,000,000,000,000 usd', ['cost of 21 here']],
    ['价格3元', ['3元组']],
    ['0.0003', ['10.0003', '0.00035', '3e-45']],
    ['$14,250', ['14,250.5 is it', '114,250', '14,2501']],
    ['HK$99', ['it is 990']],
    ['dev2', ['de 2 here']],
    ['5.2.0rc1', ['5.2.0rc12', '15.2.0rc1']],
  ])('%s: %j', async (query, others) => {
    const notes = Object.fromEntries(others.map((text, at) => [`other${at}`, text]));
    using store = await storeOf({ ...notes, weather: 'rain in the mountains', tea: '龙井茶' });
    const { items } = await store.run('search', { query, explain: true });
    // what is matched has no phrase: at most a word that both have
    for (const { key, explain } of items) expect([query, key, explain.lexical_parts.phrases]).toEqual([query, key, 0]);
  });
});

describe('sums of money find each other', () => {
  test.each([
    [['$14,250', '$14250', 'US$14,250.00', '14250 USD', 'USD 14250', '14,250 dollars', '14250美元', '$14.25k']],
    [['¥30000', '￥3万', '3万元', '30000元', 'RMB 30,000', '30,000 yuan', '30000块钱', '3万人民币']],
    [['$1.5M', '$1.5m', '1.5 million dollars', '150万美元', '$1,500,000', 'USD 1.5 million']],
    [['€99', '99 EUR', '99 euros', '99欧元', '€99.00']],
    [['£14.99', '14.99 GBP', '14.99 pounds', '14.99英镑']],
    [['HK$500', '500 HKD', '500港币']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `价格 ${notation}，已测 ${at}`]);
    using store = await storeOf({ ...Object.fromEntries(texts), other: 'nothing of this', more: '其他说明' });
    for (const query of notations) {
      const found = keys(await store.run('search', { query }));
      expect([query, found.slice(0, notations.length).toSorted()]).toEqual([query, texts.map(([key]) => key)]);
    }
  });
  test.each([
    ['14250 USD', '$14,250 a month', '14,500 USD a month'],
    ['$99', 'it is $99.00', 'it is €99'],
    ['99元', '退款 99 RMB', 'refund of $99'],
    ['500 HKD', 'fee is HK$500', 'fee is €500'],
    ['3万元', '预算 ¥30,000', '预算 30万元'],
  ])('%s: the amount and the currency tell', async (query, right, wrong) => {
    using store = await storeOf({ wrong, right, other: 'nothing of this' });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
});

describe('versions find each other', () => {
  test.each([
    [['5.2.0rc1', '5.2.0-rc1', '5.2.0-rc.1', 'v5.2.0rc1', 'v5.2.0-RC1', '5.2.0 rc 1']],
    [['2.0.0b3', '2.0.0-beta.3', '2.0.0 beta 3', 'v2.0.0-beta3']],
    [['10.4a12', '10.4-alpha.12', '10.4alpha12']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用${notation}，已测 ${at}`]);
    const others = { a: '5.2.0 released', b: '5.2.0rc2', c: '2.0.0b4 and 10.4', d: 'nothing of this' };
    using store = await storeOf({ ...Object.fromEntries(texts), ...others });
    for (const query of notations) {
      const found = keys(await store.run('search', { query }));
      expect([query, found.slice(0, notations.length).toSorted()]).toEqual([query, texts.map(([key]) => key)]);
    }
  });
  test.each([
    ['GPLv3', ['GPL-3.0', 'GPL v3', 'GPL 3', 'GPLv3'], ['GPLv2', 'AGPL-2.0']],
    ['GPL-3.0', ['GPLv3', 'GPL v3', 'GPL3'], ['GPL-2.0', 'GPL 3.1']],
    ['Apache 2.0', ['Apache-2.0', 'Apache 2', 'Apache v2'], ['Apache 2.4', 'Apache 1.0']],
    ['jdk 1.8', ['JDK 1.8', 'jdk1.8', 'JDK 8'], ['JDK 18', 'JDK 17']],
  ])('%s', async (query, right, wrong) => {
    const named = (prefix: string, texts: readonly string[]): Record<string, string> =>
      Object.fromEntries(texts.map((text, at) => [`${prefix}${at}`, `用${text}，已测`]));
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`other${at}`, `nothing of this ${at}`]));
    using store = await storeOf({ ...others, ...named('wrong', wrong), ...named('right', right) });
    const found = keys(await store.run('search', { query })).slice(0, right.length);
    expect(found.filter((key) => key?.startsWith('wrong'))).toEqual([]);
    expect(found.length).toBe(right.length);
  });
});

// the index cannot tell these from 65:535 and from the number 30, so that they do not suffice where it is required
describe('a number and one with separators, or a duration with a joined unit, find each other', () => {
  test.each([
    [['65535', '65,535', '65_535', "65'535"]],
    [['1200000', '1,200,000', '1_200_000']],
    [['30s', '30 秒', '30 seconds']],
    [['1.8s', '1.8秒', '1.8 seconds']],
    [['5ms', '5毫秒']],
    [['5m', '5分钟', '5min']],
    [['30000', '30,000', '30k', '30K', '3万', '3 万', '3万条', '30 thousand', '3e4']],
    [['1500', '1,500', '1.5k', '1.5千']],
    [['12,000', '12000', '12k', '1.2万']],
    [['3000000', '3,000,000', '300万', '300万行', '3 million', '3百万']],
    [['2500000000', '2,500,000,000', '2.5 billion', '25亿']],
    [['3e-4', '0.0003', '3e-04', '3E-4']],
    [['1.5e-3', '0.0015']],
    [['1e6', '1000000', '1,000,000', '1 million', '100万']],
    [['三百万条', '300万条']],
    [['3w条', '3万条', '30000条']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用${notation}，已测 ${at}`]);
    using store = await storeOf({ ...Object.fromEntries(texts), other: 'nothing of this', more: '其他说明' });
    for (const query of notations)
      for (const engine of ['fts', 'like'])
        expect([query, engine, keys(await store.run('search', { query, engine })).toSorted()]).toEqual([
          query,
          engine,
          texts.map(([key]) => key),
        ]);
  });
});

describe('Chinese numerals and digits find each other', () => {
  test.each([
    [['重试3次', '重试三次', '重试 3 次']],
    [['保存30天', '保存三十天']],
    [['200万条', '二百万条', '两百万条']],
    [['凌晨12点', '凌晨十二点']],
    [['5000元', '五千元']],
    [['3月15日', '三月十五日', '03月15日', 'March 15']],
  ])('%j', async (notations) => {
    const texts = notations.map((notation, at) => [`k${at}`, `用${notation}，已测 ${at}`]);
    using store = await storeOf({ ...Object.fromEntries(texts), other: 'some workers', more: '三方登录' });
    for (const query of notations)
      for (const engine of ['fts', 'like']) {
        const found = keys(await store.run('search', { query, engine })).slice(0, notations.length);
        expect([query, engine, found.toSorted()]).toEqual([query, engine, texts.map(([key]) => key)]);
      }
  });
});

describe('a day without a year, and a month, are found in dates', () => {
  test.each([
    ['4月5日', ['2026-04-05', '2026/4/5', '2026年4月5日', '5 April 2026', 'April 5th, 2026']],
    ['April 5', ['2026-04-05 10:00', '2026-04-05T02:45:46Z', '2026年4月5日', '4月5日', '5 Apr 2026']],
    ['April 2026', ['2026-04-05', '2026年4月5日', 'April 5, 2026', '5 April, 2026', '2026-04']],
    ['2026年12月', ['2026-12-31', '2026/12/1', 'Dec 31, 2026', 'December 2026']],
  ])('%s', async (query, dates) => {
    const texts = dates.map((date, at) => [`k${at}`, `decided (${date}) by 王芳`]);
    const others = { time: 'at 10:04:05', other: '2025-05-04', dotted: '10.26.04.05' };
    using store = await storeOf({ ...Object.fromEntries(texts), ...others });
    for (const engine of ['fts', 'like']) {
      const found = keys(await store.run('search', { query, engine }));
      expect([query, engine, found.toSorted()]).toEqual([query, engine, texts.map(([key]) => key)]);
    }
  });
  test.each([
    ['step 5 may fail', '2026-05-05'],
    ['march 2026x', '2026-03'],
    ['v2026-13', '2026 13'],
    ['April 31.5', '2026-04-31'],
  ])('%s is none', async (query, date) => {
    using store = await storeOf({ date: `on ${date}`, other: 'nothing of this' });
    expect(keys(await store.run('search', { query, match: 'all' }))).toEqual([]);
  });
});

describe('a note with what the query asks for ranks first', () => {
  test.each([
    ['chrony API', 'Chrony was not running on the machine', ['api of the api', 'the api']],
    [
      'Chrony Error',
      'Chrony was not running on the machine',
      ['error codes: every error has six digits', 'error budget'],
    ],
    ['exit 78', 'Worker ends with status 78 if a variable is missing', ['exit code of the script', 'the exit code']],
    ['port 53', 'dnsmasq listens on 53 of every interface of the machine', ['port of the ship', 'every port']],
    ['api version 2', 'API v2 is the stable one of both', ['api has 2 hosts', 'version of the api']],
    ['pnpm 9', 'the lockfile needs pnpm v9', ['pnpm ran 9 minutes', 'pnpm']],
    ['11%', 'removed 11 % of the corpus in the second pass', ['11 workers', 'v11.11']],
    ['11 percent', 'removed 11% of the corpus in the second pass', ['11 workers', 'v11.11']],
    ['2.5 kg', 'the bolt weighs 2.5kg', ['12.5 kg', 'kg']],
    ['what was it on 2026-02-18.', '上线时间 2026年2月18日', ['Weekly 2026-03-02', 'it was what it was']],
    ['a != b', 'the check a != b is the wrong one in this place', ['a == b', 'b = a']],
    ['[^\\s@]{2,}', 'Email check: [^\\s@]{2,} is the last part of the address', ['retry 2 times', 'retry']],
    ['back  tracking', 'catastrophic backtracking of the regex', ['back up, tracking id', 'back']],
    ['search for chrony', 'The chrony daemon was not running on the virtual machine', ['search index', 'search']],
    ['what does chrony mean?', 'The chrony daemon was not running on the machine', ['mean value', 'the mean']],
    ['重试3次', '接口失败后重试三次', ['3 workers', '重试五次后放弃']],
    ['日志留三十天', '日志只留 30 天，再久要归档到对象存储', ['日志三十行', '十天一次']],
    ['배포 helm', '배포는 매주 목요일 오후에 진행한다', ['helm chart', 'the helm version']],
    ['🔥 slack', 'Release channel: 🔥 = incident', ['slack channel', 'the slack app']],
    ['バグ vue', 'このバグは先週の金曜日に直した', ['Vue of it', 'the vue app']],
    ['what does 🔥 mean', 'Release channel: 🔥 = incident', ['mean value', 'does it mean that']],
    ['look up chrony', 'The chrony daemon was not running on the machine', ['look', 'look at it']],
  ])('%s', async (query, right, others) => {
    const texts = Object.fromEntries(others.map((other, at) => [`other ${at}`, other]));
    using store = await storeOf({ ...texts, right, tabs: 'Use tabs', vue: 'Vue keys', port: 'Redis host' });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
  test('a query of only a request is searched for', async () => {
    using store = await storeOf({ it: 'search for it', other: 'nothing' });
    expect(keys(await store.run('search', { query: 'search for' }))).toEqual(['it']);
  });
});

describe('a number is not found in what only looks like it', () => {
  test.each([
    ['1234', ['1.234%', '1:234', 'foo.ts:1:234', '1,234,567', '10.1.234.5', '[1, 234]', '1-234', '1\t234']],
    ['12345', ['foo.ts:12:345', '12-345', '112,345', '12,3456']],
    ['500000', ['1,500,000', '500,000,000', '500:000']],
    ['2026-01-01', ['2026-11-20', '2026-1-20', '2026-12-24', '202611']],
    ['2026年1月2日', ['2026-12-25', '2026-11-20']],
    ['20260405', ['2026 45', '202645', '2026-04-0512']],
    ['5分钟', ['latency 5ms', '5M of memory', '15分钟', '2.5分钟']],
    ['5毫秒', ['wait 5m', '15毫秒']],
  ])('%s', async (query, others) => {
    const texts = Object.fromEntries(others.map((other, at) => [`k${at}`, `at ${other} of it`]));
    using store = await storeOf({ ...texts, right: `at ${query} of it` });
    for (const match of ['any', 'all']) {
      const found = await store.run('search', { query, match });
      expect([match, keys(found)[0]]).toEqual([match, 'right']);
      for (const item of found.items) expect([item.key, item.score > 0]).toEqual([item.key, true]);
    }
  });
  test.each(['2026-13-45', '2026-99-99', '0月0日', '13月1日', '4月32日'])('%s is no date', async (query) => {
    using store = await storeOf({ it: `at ${query} of it`, other: '计划 月 底 完成' });
    expect(keys(await store.run('search', { query, match: 'all' }))).toEqual(['it']);
  });
  test('2024.1.2 is a version, 3D no duration, 5M neither', async () => {
    using store = await storeOf({ date: '2024-01-02 standup', days: 'took 3 days', minutes: '5 分钟' });
    for (const query of ['2024.1.2', '3D', '5M'])
      expect([query, keys(await store.run('search', { query, match: 'all' }))]).toEqual([query, []]);
  });
  test('that has separators is taken whole with its unit', async () => {
    using store = await storeOf({ whole: 'took 1500 ms', part: 'took 500 ms', kb: 'limit of 1024 MB', less: '24 MB' });
    expect(keys(await store.run('search', { query: '1,500 ms' }))[0]).toBe('whole');
    expect(keys(await store.run('search', { query: '1_024MB' }))[0]).toBe('kb');
  });
  test('which others have as a fraction, is one of three names as before', async () => {
    using store = await storeOf({
      ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`port ${at}`, `mysql port 3306 no ${at}`])),
      only: `${MINUTES}${MINUTES}Then we moved to keycloak. ${MINUTES}`,
      build: 'build took 3.306 s',
      fee: 'fee of 3,306',
    });
    expect(keys(await store.run('search', { query: 'mysql 3306 keycloak' }))[0]).toBe('only');
  });
});

test('a word finds items that write it as two, though others write it as one', async () => {
  using store = await storeOf({
    one: 'the frontend team',
    two: 'the front-end team',
    short: 'Wi-Fi in the office',
    other: 'front of the office, to the end',
  });
  for (const match of ['any', 'all'])
    for (const query of ['frontend', 'front-end team', 'frontend team'])
      expect([
        query,
        keys(await store.run('search', { query, match }))
          .slice(0, 2)
          .toSorted(),
      ]).toEqual([query, ['one', 'two']]);
  expect(keys(await store.run('search', { query: 'wifi' }))).toEqual(['short']);
});

test('a word of two compounds may be a part of either, where every word is required', async () => {
  using store = await storeOf({ joined: 'TLSv1.2 in use', apart: 'TLS1.3 in use', both: 'TLSv1 of old, 3 of them' });
  expect(keys(await store.run('search', { query: 'TLS v1.3', match: 'all' }))[0]).toBe('apart');
});

describe('a typo in an inflected word', () => {
  test.each([
    ['Prodxction', 'Production deploy checklist'],
    ['Prodution', 'Production deploy checklist'],
    ['connctions', 'two connections per client'],
    ['conection', 'two connections per client'],
    ['jorunal', 'the journal was quarantined'],
    ['qurantined', 'the journal was quarantined'],
    ['locxtion', 'location of the regression'],
    ['regresxion', 'location of the regression'],
    ['servcies', 'all services'],
    ['paginaton', 'cursor pagination'],
    ['configurtion', 'one configuration of it'],
    ['paginaton dock', 'cursor pagination'],
  ])('%s is found in %j', async (query, content) => {
    using store = await storeOf({ it: content, lock: 'lock order', other: 'what is left to do' });
    expect(keys(await store.run('search', { query }))).toEqual(['it']);
  });
});

test('a word that is in no item is named as written', async () => {
  using store = await storeOf({ it: 'policies of the table' });
  const { hint } = await store.run('search', { query: 'policies nonexisting', match: 'all' });
  expect(hint).toBe('no item contains "nonexisting"; try --match any');
});

test('if every content is too long for --max-chars, a hint says how to read the matches', async () => {
  using store = await storeOf({ it: `disk quota ${'and more '.repeat(50)}` });
  for (const answer of [
    await store.run('search', { query: 'disk quota', max_chars: 100 }),
    await store.run('recommend', { context: 'disk quota', max_chars: 100 }),
  ]) {
    expect(answer).toMatchObject({ items: [], omitted_ids: [expect.any(String)] });
    const [id] = answer.omitted_ids;
    expect(answer['hint']).toBe(`${id} has 461 characters; read it with: memtool get ${id} --max-chars 461`);
    expect((await store.run('get', { id: [id], max_chars: 461 })).items).toHaveLength(1);
  }
  expect(await store.run('search', { query: 'disk quota', max_chars: 1000 })).not.toHaveProperty('hint');
});

describe('letters are found with and without their marks, by the index and by a scan', () => {
  test.each([
    ['the café in Zürich', 'the cafe in Zurich', ['cafe', 'café', 'ZÜRICH', 'zurich', 'Zu\u0308rich cafés']],
    ['Hauptstraße', 'Hauptstrasse', ['hauptstrasse', 'HAUPTSTRASSE', 'hauptstraße', 'HAUPTSTRAẞE']],
    ['Søren of Łódź', 'Soren of Lodz', ['soren', 'SØREN', 'lodz', 'Łódź', 'Lódz']],
    ['Ærøskøbing Œuvre', 'Aeroskobing Oeuvre', ['aeroskobing', 'ÆRØSKØBING', 'œuvre', 'oeuvre']],
    ['kapalı ışık', 'KAPALI IŞIK', ['kapali', 'isik', 'ışık', 'Kapalı']],
    ['καλημέρα κόσμε', 'ΚΑΛΗΜΕΡΑ ΚΟΣΜΕ', ['καλημερα', 'Καλημέρα', 'κοσμε', 'ΚΌΣΜΕ']],
    ['ёлка Алёны', 'елка Алены', ['ЁЛКА', 'елка', 'алены', 'Алёны']],
    ['שָׁלוֹם', 'שלום', ['שלום', 'שָׁלוֹם']],
    ['كِتَابٌ أمن', 'كتاب امن', ['كتاب', 'كِتاب', 'امن', 'أمن', 'كتــاب']],
  ])('%s, %s', async (marked, plain, queries) => {
    using store = await storeOf({ marked, plain, other: 'nothing of it' });
    for (const query of queries)
      for (const match of ['any', 'all'])
        for (const engine of ['fts', 'like']) {
          const { items } = await store.run('search', { query, engine, match });
          const isScored = items.every(({ score, snippet }: Output) => score > 0 && snippet !== '');
          expect([query, engine, match, items.length, isScored]).toEqual([query, engine, match, 2, true]);
        }
  });
});

test('an item with all words is among the results, however many items have most of them', async () => {
  const vocabulary =
    '物流 支付 库存 订单 网关 缓存 登录 报表 超时 重试 回滚 扩容 timeout retry deploy cache queue index token schema'.split(
      ' ',
    );
  const next = numbers(7);
  const pick = (count: number): string[] => Array.from({ length: count }, () => vocabulary[next(20)] ?? '');
  const texts: Record<string, string> = {};
  for (let at = 0; at < 10_000; at += 1) texts[`k${at}`] = `${pick(4).join(' ')} ${'note '.repeat(next(6))}${at}`;
  using store = await storeOf(texts);
  for (let round = 0; round < 60; round += 1) {
    const words = [...new Set(pick(2 + (round % 3)))];
    const hasAll = (text: string): boolean => words.every((word) => text.includes(word));
    if (!Object.values(texts).some(hasAll)) continue;
    const found = keys(await store.run('search', { query: words.join(' ') }));
    expect([words, found.some((key) => hasAll(texts[key] ?? ''))]).toEqual([words, true]);
  }
});

test('a long log is found by its own sentence among short notes', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `n${at}`,
      ['连接超时：连接池没有释放', '数据中心迁到上海', '配置项改名', '发布窗口周四', '失败的任务会重试'][at % 5] ?? '',
    ]),
  );
  const lines = Array.from({ length: 200 }, (_, at) => `2026-05-02 INFO worker-${at} 处理完成，用时 ${at} 毫秒`);
  using store = await storeOf({ ...notes, log: [...lines, 'ERROR 配置中心连接失败，回滚发布', ...lines].join('\n') });
  for (const query of ['配置中心连接失败', '配置中心连接失败，回滚发布', 'ERROR 配置中心连接失败，回滚发布'])
    expect([query, keys(await store.run('search', { query })).slice(0, 2)]).toEqual([
      query,
      expect.arrayContaining(['log']),
    ]);
});

test('a pasted log finds the error at its end, and a warning says if parts of it were ignored', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`n${at}`, `INFO the job ${at} took a while, batch ${at * 7} is done`]),
  );
  using store = await storeOf({ ...notes, dead: 'deadlock detected on table orders: take the locks in one order' });
  for (const [lines, warning] of [
    [0, undefined],
    [5, undefined],
    [20, undefined],
    [200, 'QUERY_CUT'],
    [1000, 'QUERY_CUT'],
  ] as const) {
    const log = Array.from({ length: lines }, (_, at) => `INFO job ${at} took ${at * 3}ms batch${at} host${at}.local`);
    const found = await store.run('search', { query: [...log, 'ERROR deadlock detected on table orders'].join('\n') });
    expect([lines, keys(found)[0]]).toEqual([lines, 'dead']);
    expect([lines, found.warning]).toEqual([lines, warning]);
  }
});

test.each(['何伟', '于敏', '马有林', '王有福', '李从', '陈伟'])('%s is found however texts are split', async (name) => {
  const around = [
    '由@负责',
    '问@要权限',
    '@说可以',
    '和@一起排查',
    '这是@的方案',
    '请@看一下',
    '@ 已确认',
    '找@在周四',
  ];
  const texts = Object.fromEntries(around.map((text, at) => [`k${at}`, text.replace('@', name)]));
  using store = await storeOf({ ...texts, other: '没有人负责' });
  expect(keys(await store.run('search', { query: name })).toSorted()).toEqual(Object.keys(texts).toSorted());
});

describe('a word and a number', () => {
  test.each([
    ['http2', 'HTTP/2 must be enabled before gRPC works', 'HTTP 请求超时默认 30 秒'],
    ['jdk8', '构建机统一用 JDK 8', 'JDK 17 只用于 admin'],
    ['python3', 'ETL 脚本需要 Python 3', 'Python 依赖用 poetry 锁定'],
    ['utf8', '文件一律用 UTF-8 保存', 'utf8mb4 字符集'],
    ['ES 6', '前端编译目标 es6', '不支持 IE 6'],
    ['ip v6', '内网没有 IPv6', '内网的路由表'],
    ['HTTP 2', 'HTTP/2 must be enabled', 'HTTP 请求'],
    ['gpt4', '摘要由 GPT-4 生成', 'GPT 的额度'],
  ])('%s matches %j, together or apart', async (query, first, other) => {
    using store = await storeOf({ other, first });
    for (const match of ['any', 'all']) {
      const found = await store.run('search', { query, match, explain: true });
      expect([match, keys(found)[0]]).toEqual([match, 'first']);
      expect(found.items[0].explain.lexical_parts.phrases).toBeGreaterThan(0);
    }
  });
});

describe('a stop word that is written like a name', () => {
  test.each([
    ['CAN 总线', 'CAN 报文解析规则'],
    ['IT 部门', 'IT 流程审批'],
    ['WHO codes', 'the WHO list of causes'],
  ])('is searched for: %s finds %j', async (query, first) => {
    using store = await storeOf({ first, other: 'the invoice', 网关: '路由表' });
    expect(keys(await store.run('search', { query }))[0]).toBe('first');
  });

  test.each([
    ['it xyzq', ' ("it" was ignored as too common)'],
    ['who is xyzq', ' ("who", "is" were ignored as too common)'],
    ['xyzq', ''],
  ])('words of %j that were not searched for are named', async (query, told) => {
    using store = await storeOf({ a: 'who does it' });
    const { items, hint } = await store.run('search', { query });
    expect([items, hint]).toEqual([
      [],
      `no item contains any of these words${told}; see what is stored with: memtool list`,
    ]);
  });

  test('is a stop word if everything is in capitals', async () => {
    using store = await storeOf({ a: 'WHO CAN DO IT', b: 'deploy' });
    expect(keys(await store.run('search', { query: 'WHO CAN DEPLOY IT' }))).toEqual(['b']);
  });
});

describe('two words that may be one', () => {
  const others = {
    time: 'the time of the meeting has changed',
    web: 'the web page of the team',
    dark: 'a dark theme park at the edge of the city',
    log: 'the log of errors grows in the night',
  };
  test.each([
    ['time out', 'requests to the payment service hit the timeout of 30 seconds'],
    ['timeout', 'requests to the payment service time out after a while'],
    ['log in', 'the login page needs a second factor'],
    ['login', 'users log in with a second factor'],
    ['web hook', 'a webhook of the repository starts the build'],
    ['webhook', 'a web hook of the repository starts the build'],
    ['oauth', 'handleOAuthCallback reads the state'],
    ['oauth2', 'useOAuth2Token is a hook'],
    ['xmlhttprequest', 'parseXMLHttpRequest takes the body'],
    ['github', 'createGitHubClient signs in'],
    ['darkmode', 'the settings page has a dark mode'],
    ['dark mode', 'the settings page has a darkmode'],
    ['怎么关掉 darkmode', '设置页可以切换 dark mode'],
    ['back-up', 'the nightly backup is kept for 30 days'],
    ['timeout', 'requests to the payment service timed out after a while'],
    ['rollback', 'we rolled back the release of the payment service'],
    ['logout', 'idle users get logged out of the payment service'],
    ['end point', 'the payment service has two endpoints'],
    ['frontend', 'the front-ends are built by vite'],
    ['racecondition', 'two race conditions in the payment service'],
  ])('%s is found as written in: %s', async (query, content) => {
    using store = await storeOf({ ...others, wanted: content });
    expect(keys(await store.run('search', { query }))[0]).toBe('wanted');
    const all = await store.run('search', { query: query.replace(/^\P{ASCII}+ /u, ''), match: 'all', explain: true });
    expect(all.items[0]).toMatchObject({ key: 'wanted', explain: { matched: { content: expect.any(Array) } } });
    expect(all.items[0].explain.lexical).toBeGreaterThan(1);
  });
  test('are not named as words that are in no item', async () => {
    using store = await storeOf({ a: 'the settings page has a dark mode', b: 'requests hit the timeout' });
    for (const query of ['darkmode quokka', 'time out quokka']) {
      const { items, hint } = await store.run('search', { query, match: 'all' });
      expect([items, hint]).toEqual([[], 'no item contains "quokka"; try --match any']);
    }
  });
  test('"in form" does not match "inform"', async () => {
    using store = await storeOf({
      form: 'validate the address in form fields',
      inform: 'inform the team of the release',
    });
    expect(keys(await store.run('search', { query: 'address in form' }))).toEqual(['form']);
  });
});

describe('a phrase of a query', () => {
  test.each([
    ['2.1.0', 'release notes of v2.1.0', 'axios 1.2.1, vite 0.2.1, node 0.1'],
    ['v3.7.3', '回滚到 v3.7.3', 'v3 的 7 个问题和 3 个方案'],
    ['cart.svc.pool.size', 'cart.svc.pool.size=20', 'the size of the pool of svc: cart, cart, cart'],
    ['/api/v2/cart/update', 'POST /api/v2/cart/update returns 409', 'update the cart by the v2 of the api'],
    ['user_id', 'the column user_id is text', 'user and id, id and user'],
    ['database is locked', 'SQLITE_BUSY: database is locked', 'the database, locked by a long database migration'],
    ['"on conflict"', 'insert … on conflict do nothing', 'Conflict in cart.store.ts, a conflict again'],
    ['60 秒', '缓存 60 秒过期', '60 毫秒一次，每秒 60 次'],
    ['/^(a+)+$/', 'ReDoS by /^(a+)+$/ in the parser', 'given a list of a, a and a'],
  ])('%j ranks a text first that contains it as a phrase', async (query, first, other) => {
    using store = await storeOf({ other, first, more: `${other} indeed` });
    for (const match of ['any', 'all']) {
      const found = keys(await store.run('search', { query, match }));
      expect([match, found[0]]).toEqual([match, 'first']);
    }
  });
  test('is a candidate among thousands that have its words', async () => {
    const next = numbers(3);
    const words = ['cart', 'svc', 'pool', 'size'];
    const texts: Record<string, string> = {};
    for (let at = 0; at < 5000; at += 1) texts[`k${at}`] = `size of the svc: ${words[next(4)]} pool cart ${at}`;
    texts['k77'] = 'cart.svc.pool.size is 20 here, which is too small for the traffic of a sale';
    using store = await storeOf(texts);
    for (const match of ['any', 'all'])
      expect(keys(await store.run('search', { query: 'cart.svc.pool.size', match }))).toContain('k77');
  });
});

test('a text that contains a version ranks first among those that have its numbers', async () => {
  const next = numbers(11);
  const texts: Record<string, string> = {};
  for (let at = 0; at < 3000; at += 1)
    texts[`k${at}`] = `retry ${next(9)} of ${next(9)}, ${next(9)} left of ${next(9)} ${'more '.repeat(next(5))}`;
  texts['k700'] = `upgraded the library to 3.8.4 ${'and tested what uses it '.repeat(6)}`;
  using store = await storeOf(texts);
  for (const query of ['3.8.4', 'v3.8.4']) expect(keys(await store.run('search', { query }))[0]).toBe('k700');
});

test('a name with common parts is found among thousands of texts that have the parts', async () => {
  const names = ['Cart', 'Order', 'User', 'Token'];
  const next = numbers(5);
  const texts: Record<string, string> = {};
  for (let at = 0; at < 5000; at += 1)
    texts[`k${at}`] = `get${names[next(4)]}ById_${next(90)} and by id get ${next(90)} ${'more '.repeat(next(9))}`;
  texts['k77'] = `the caller of getCartById_97 ${'and what it does '.repeat(3)}`;
  for (let at = 200; at < 500; at += 1) texts[`k${at}`] = `getCartById of cart 97, 97 by id getCartById`;
  using store = await storeOf(texts);
  for (const match of ['any', 'all'])
    expect([match, keys(await store.run('search', { query: 'getCartById_97', match }))]).toEqual([
      match,
      expect.arrayContaining(['k77']),
    ]);
});

describe('an item that is searched for by its key', () => {
  test.each(['deploy', 'deploy-checklist', '发布'])(
    '%s is found among thousands of newer ones that contain it',
    async (name) => {
      const texts: Record<string, string> = { [name]: `how it is done: ${'one step after another '.repeat(30)}` };
      for (let at = 0; at < 2600; at += 1) texts[`p${at}`] = `log line of the ${name} number ${at}`;
      using store = await storeOf(texts);
      expect(keys(await store.run('search', { query: name }))[0]).toBe(name);
      const byTag = await store.run('put', { type: 'run', key: 'tagged', tag: [name], content: 'x' });
      const newer = Array.from({ length: 2600 }, (_, at) =>
        JSON.stringify({ type: 'run', key: `q${at}`, content: `another line of the ${name}` }),
      );
      await store.run('import', {}, { stdin: stdinOf(newer.join('\n')) });
      expect(keys(await store.run('search', { query: name }))[0]).toBe(name);
      expect((await store.run('search', { query: name, limit: 100 })).items.map(({ id }: Output) => id)).toContain(
        byTag.id,
      );
    },
  );
  test('is found within a task, and without the index of keys too', async () => {
    using store = await tempStore();
    const lines = Array.from({ length: 2600 }, (_, at) =>
      JSON.stringify({
        type: 'run',
        task_id: at % 2 === 0 ? 'even' : 'odd',
        key: at === 0 ? 'deploy' : `k${at}`,
        content: `deploy ${at}`,
      }),
    );
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    const first = async (filters: Record<string, unknown>) =>
      keys(await store.run('search', { query: 'deploy', ...filters }))[0];
    expect([await first({}), await first({ task_id: 'even' })]).toEqual(['deploy', 'deploy']);
    expect(await first({ task_id: 'odd' })).not.toBe('deploy');
    const db = new DatabaseSync(store.path);
    db.exec('drop index memory_items_type_key');
    db.close();
    expect([await first({}), await first({ task_id: 'even' })]).toEqual(['deploy', 'deploy']);
  });
  test('comes before longer names and texts that repeat it', async () => {
    using store = await storeOf({
      contract: `the agreement with the payment provider ${'and its many clauses '.repeat(20)}`,
      contract_tests_old: 'removed',
      notes: 'contract contract contract contract contract',
    });
    expect(keys(await store.run('search', { query: 'contract' }))[0]).toBe('contract');
    expect(keys(await store.run('search', { query: ' Contract ' }))[0]).toBe('contract');
  });
});

test.each([
  ['MySQL', 'mysql 主从复制延迟', ['My notes on SQL style', 'my vimrc, my zshrc']],
  ['JavaScript', '升级 javascript 依赖', ['Java 服务启动脚本 start script']],
  ['GitHub', 'github actions 的缓存', ['git 提交规范与 docker hub']],
])('%s itself comes before its parts', async (query, first, others) => {
  const noise = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}`, `unrelated note number ${at}`]));
  using store = await storeOf({ first, ...Object.fromEntries(others.map((text, at) => [`o${at}`, text])), ...noise });
  expect(keys(await store.run('search', { query }))[0]).toBe('first');
});

describe('a word of the query', () => {
  test.each([
    ['部署文档放在 github 上', 'GitHub'],
    ['mysql 5.7 的主从', 'MySQL'],
    ['getUserById returns null', 'getuserbyid'],
    ['getUserById returns null', 'get user by id'],
    ['get the user by its id', 'getUserById'],
    ['exception 0xC0000005 at start', '0xc0000005'],
    ['ipv6 only', 'IPv6'],
    ['the toString method', 'tostring'],
  ])('with --match all is found in %j as %j, by the index and by a scan', async (content, query) => {
    using store = await storeOf({ target: content, other: 'nothing of this' });
    for (const engine of ['fts', 'like'])
      expect([engine, keys(await store.run('search', { query, match: 'all', engine }))]).toEqual([engine, ['target']]);
  });
  test.each(['user', 'pools', 'build', 'getuserbyid', 'went'])(
    '%s is found by a scan as well as by the index',
    async (query) => {
      using store = await storeOf({
        target: 'getUserById: a pool for building, it has gone',
        other: 'nothing of this',
      });
      for (const engine of ['fts', 'like'])
        expect([engine, keys(await store.run('search', { query, engine }))]).toEqual([engine, ['target']]);
    },
  );
  test.each([
    ['3f2a9c1', 'hash'],
    ['revert 3f2a9c1', 'hash'],
    ['kubern', 'k8s'],
    ['kubernete migration', 'k8s'],
  ])('that is in no item is matched as a prefix: %s', async (query, key) => {
    using store = await storeOf({
      hash: '3f2a9c1d4e5b6a79 fix pool leak',
      k8s: 'kubernetes cluster notes',
      other: 'revert the migration',
    });
    expect(keys(await store.run('search', { query }))).toContain(key);
    const { items } = await store.run('search', { query, explain: true });
    for (const { score } of items) expect(score).toBeGreaterThan(0);
  });
  test.each([
    ['比对', '每日任务：拉取账单逐笔比对，差异写入差异表', '环比与同比：报表里比例一律保留两位小数'],
    ['到账', '提现资金一般两小时内到账，节假日顺延', '账号与子账号：账单按账期出'],
    ['账单比对', '拉取账单逐笔比对', '账单按比例出'],
  ])('%s, which no dictionary has and which contains a question word, ranks first', async (query, has, other) => {
    using store = await storeOf({ has, other, more: '别的说明', most: '其他说明' });
    for (const engine of ['fts', 'like']) {
      for (const match of ['any', 'all'])
        expect([engine, match, keys(await store.run('search', { query, engine, match }))[0]]).toEqual([
          engine,
          match,
          'has',
        ]);
    }
  });
  test.each([
    ['锁在哪里实现', '锁由 Redis 实现', '死锁在测试中出现'],
    ['图在哪里', '架构图保存于 docs 目录', '截图在附件里'],
  ])('%s finds %s, whatever is next to its question word elsewhere', async (query, has, other) => {
    using store = await storeOf({ has, other, more: '别的说明', most: '其他说明' });
    for (const engine of ['fts', 'like'])
      expect(keys(await store.run('search', { query, engine, match: 'all' }))).toContain('has');
    const { items } = await store.run('search', { query });
    const scores = new Map(items.map(({ key, score }: { key: string; score: number }) => [key, score]));
    expect(Number(scores.get('has'))).toBeGreaterThan(Number(scores.get('other') ?? 0) / 1.5);
  });
  test.each(['过程', '对话', '对象', '在线'])(
    '%s is not searched for by what is left of it without a question phrase',
    async (query) => {
      using store = await storeOf({ a: '程序 工程 编程', b: '话题 通话', c: '印象 现象', d: '线程池' });
      expect(await store.run('search', { query })).toMatchObject({ total: 0, items: [] });
    },
  );
});

test('copies take one position, however many there are, and leave the others to other items', async () => {
  using store = await tempStore();
  const copies = Array.from({ length: 80 }, (_, at) => ({
    task_id: `t${at}`,
    key: 'copy',
    content: 'connection refused',
  }));
  const others = Array.from({ length: 5 }, (_, at) => ({
    key: `o${at}`,
    content: `connection ${at} was refused again by it`,
  }));
  const lines = [...copies, ...others].map((one, at) => JSON.stringify({ id: `i${at}`, type: 'run', ...one }));
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  const { items } = await store.run('search', { query: 'connection refused' });
  expect(items).toHaveLength(6);
  const places = items.map(({ id, duplicates = [] }: { id: string; duplicates?: string[] }) => [id, ...duplicates]);
  for (const id of ['i3', 'i79', 'i80', 'i84']) {
    const rank = places.findIndex((ids: string[]) => ids.includes(id)) + 1;
    expect((await store.run('search', { query: 'connection refused', explain_id: id }))['explain_id']).toMatchObject({
      status: 'ranked',
      rank,
    });
  }
});

test('--explain shows what a score is made of, whatever the order', async () => {
  using store = await storeOf({ a: 'alpha', b: 'alpha beta' });
  for (const sort_by of ['mixed', 'confidence', 'recency']) {
    const { items } = await store.run('search', { query: 'alpha', sort_by, explain: true });
    for (const { score, explain } of items) expect(explain[sort_by]).toBe(score);
  }
});

test('--explain-id names filters as they are given', async () => {
  using store = await storeOf({ a: 'alpha' });
  const { id } = (await store.run('get', { type: 'feature', key: 'a' })).item;
  const { explain_id } = await store.run('search', { query: 'alpha', tag: ['x'], explain_id: id });
  expect(explain_id).toMatchObject({ status: 'filtered', filters: ['tag'] });
});

test('a match at the end of a very long text is scored and shown', async () => {
  const log = 'log line of a build\n'.repeat(6500);
  using store = await storeOf({ log: `${log}FATAL segfault in worker`, other: 'worker notes' });
  const { items } = await store.run('search', { query: 'segfault worker' });
  expect(items[0]).toMatchObject({ key: 'log', snippet: expect.stringContaining('segfault') });
  expect(items[0].score).toBeGreaterThan(0);
});

test('--match all searches by prefix if no item has all words as written', async () => {
  using store = await storeOf({
    whole: 'calls fetchuserbyid',
    begun: 'the fetcher of a user by id',
    parts: 'get the value',
    other: 'the user came',
    longer: 'getuserbyname returns null',
  });
  const found = async (query: string) => keys(await store.run('search', { query, match: 'all' }));
  expect(await found('fetchUserById')).toEqual(['whole']);
  expect(await found('fetch user')).toEqual(['begun']);
  // its parts are in two items
  expect(await found('getUser')).toEqual(['longer']);
  expect(await found('getUser returns')).toEqual(['longer']);
});

// with neither `presenceOf` nor a `latinInMixedWeight` of more than 1.8, the only item comes last
test.each([
  ['登录', 'keycloak'],
  ['订单', 'ULID'],
])('%s %s: the only item with the name ranks before short notes that repeat the common word', async (common, name) => {
  using store = await storeOf({
    ...Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [
        `rule ${at}`,
        `${common}规则${at}：${common}前检查权限，${common}失败锁定，${common}日志保留。`,
      ]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`note ${at}`, `构建缓存的说明${at}，与前端页面的性能有关 build ${at}`]),
    ),
    only: `realm 配置错误，invalid_grant：检查 ${name} 的回调地址和客户端密钥。`,
  });
  expect(keys(await store.run('search', { query: `${common} ${name}` }))[0]).toBe('only');
});

const MINUTES =
  'We discussed several options in the review and recorded the opinions, the next steps, who is responsible and what remains to be confirmed. ';
const MINUTES_ZH =
  '我们在评审会议上讨论了很多方案，并记录了各方的意见和后续安排，包括负责人、时间点以及需要确认的风险。';

// without `presenceOf` the long note comes after all cases
test.each([
  [
    '登录 keycloak',
    '登录失败：登录后重试登录，见记录',
    `${MINUTES_ZH.repeat(20)}之后改用 keycloak。${MINUTES_ZH.repeat(20)}`,
  ],
  [
    'order service v2.10.3',
    'the order service failed: the order service has to retry',
    `${MINUTES.repeat(3)}Then we moved to v2.10.3. ${MINUTES.repeat(3)}`,
  ],
  [
    'service keycloak',
    'the service failed: the service has to retry, see the service log',
    `${MINUTES.repeat(8)}Then we moved to keycloak. ${MINUTES.repeat(8)}`,
  ],
])('%s: a long note with the only mention of the name is among the first three', async (query, common, content) => {
  using store = await storeOf({
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`case ${at}`, `${common} (${at})`])),
    ...Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`note ${at}`, `${MINUTES}${MINUTES_ZH} build cache ${at}`]),
    ),
    only: content,
  });
  expect(keys(await store.run('search', { query })).slice(0, 3)).toContain('only');
});

// where the words of a name that no item has do not count for being there, the long note comes last
test.each([
  ['HTTP 413 错误', '413', '错误', '页面'],
  ['status 413 error', '413', 'error', 'status'],
  ['app/keycloak.yaml 登录 页面', 'keycloak', '登录', '页面'],
  ['keycloak 26 login', 'keycloak', 'login', 'ttl of 26'],
])('%s: the only note with %s ranks before notes with the common words', async (query, name, common, other) => {
  using store = await storeOf({
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`case ${at}`, `${common} ${at} ${other}`])),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`note ${at}`, `${MINUTES} build cache ${at}`])),
    only: `${MINUTES}${name} means that the limit is to be raised. ${MINUTES}`,
  });
  expect(keys(await store.run('search', { query }))[0]).toBe('only');
});

// 从, 对, 在 … are stop words, but here parts of words that the dictionary does not have
describe('a Chinese word that stop words split', () => {
  const words =
    '从节点 从站 对账单 对端设备 对接人 在途库存 在制品 到货单 到账通知 被测系统 与会人 有赞云 把控点 就绪态 着陆页 个推';
  test.each(words.split(' '))('%s ranks a long text that has it before a short one with a part of it', async (word) => {
    using store = await storeOf({
      whole: `${MINUTES_ZH}${word}见文档。${MINUTES_ZH.repeat(3)}`,
      part: `${word.slice(1)}说明`,
      other: '今天开会',
    });
    for (const query of [word, `“${word}”`, `${word} 文档`])
      for (const engine of ['auto', 'like'])
        expect([query, engine, keys(await store.run('search', { query, engine }))[0]]).toEqual([
          query,
          engine,
          'whole',
        ]);
    expect(keys(await store.run('search', { query: word, match: 'all' }))).toEqual(['whole']);
  });
  test.each(['部署到生产', '订单和支付', '锁与表'])('is not %s, which texts may have otherwise', async (query) => {
    using store = await storeOf({ as: `先${query}再说`, otherwise: '生产环境的部署，支付服务的订单，表的锁' });
    expect(keys(await store.run('search', { query, match: 'all' })).toSorted()).toEqual(['as', 'otherwise']);
  });
  test('is searched for by its parts if no item has it', async () => {
    using store = await storeOf({ part: '主节点说明', other: '今天开会' });
    for (const match of ['any', 'all'])
      expect(keys(await store.run('search', { query: '从节点', match }))).toEqual(['part']);
  });
});

describe('identifiers', () => {
  test.each([
    ['getURLs()', ['url', 'urls', 'URL', 'get', 'getURLs']],
    ['userIDs', ['id', 'ids', 'user']],
    ['plus listVMs here', ['vm', 'vms', 'list']],
    ['getURLsForUser', ['url', 'urls', 'user', 'for']],
    ['testDNSIsDown', ['dns', 'down']],
    ['SLAs', ['sla', 'slas']],
    ['enableIPv6', ['ipv6', 'IPv6', 'enable']],
    ['parseIPv4Address', ['ipv4', 'address', 'parse']],
    ['class MySQLClient {}', ['mysql', 'sql', 'client', 'MySQL']],
    ['GitHubClientFactory', ['github', 'clientfactory', 'hub']],
    ['XMLHttpRequest', ['xmlhttp', 'httprequest', 'http']],
  ])('%s is found by its plural acronyms, its names and its parts', async (identifier, queries) => {
    // others have the words too, so that nothing is looked up otherwise because it is unknown
    const others = Object.fromEntries(queries.map((query, at) => [`other${at}`, `about ${query} alone`]));
    using store = await storeOf({ identifier, ...others });
    for (const query of queries) {
      expect([query, keys(await store.run('search', { query }))]).toEqual([
        query,
        expect.arrayContaining(['identifier']),
      ]);
      expect(keys(await store.run('search', { query, match: 'all' }))).toContain('identifier');
      expect(keys(await store.run('search', { query, engine: 'like' }))).toContain('identifier');
    }
  });

  test('a pair of their parts is no word that is taken to be known', async () => {
    using store = await storeOf({ code: 'class CsvFileReader', text: 'read a csv file by lines' });
    expect(keys(await store.run('search', { query: 'csvfile' })).toSorted()).toEqual(['code', 'text']);
  });
});

test.each([
  ['da\u00adta\u00adbase', 'database'],
  ['kuber\u200bnetes', 'kubernetes'],
  ['\ufeffTypeScript', 'typescript'],
  ['time\u2060out', 'timeout'],
  ['the token\ufeffizer', 'tokenizer'],
  ['数\u200b据库连接', '数据库'],
  ['ข้อมูลabc', 'abc'],
  ['caf\u00ade\u0301 opening', 'café'],
])('%j is found by %s, whatever is between or beside its letters', async (content, query) => {
  using store = await storeOf({ one: `${content} here`, other: 'something else' });
  for (const input of [{ query }, { query: content }, { query, engine: 'like' }]) {
    const found = await store.run('search', { ...input, mark_open: '[', mark_close: ']' });
    expect(keys(found)).toEqual(['one']);
    const { snippet } = found.items[0];
    expect(snippet).toContain('[');
    expect(`${content} here`).toContain(snippet.replaceAll(/[[\]]/g, ''));
  }
});

test.each([
  ['ฐานข้อมูลของระบบ', 'ข้อมูล'],
  ['ຖານຂໍ້ມູນລະບົບ', 'ຂໍ້ມູນ'],
  ['មូលដ្ឋានទិន្នន័យ', 'ទិន្នន័យ'],
  ['ဒေတာဘေ့စ်စနစ်', 'ဘေ့စ်'],
  ['データベースの索引', 'データベース'],
])('a word inside of %s, which is written without spaces, is found', async (content, query) => {
  using store = await storeOf({ one: content, other: 'something else' });
  const found = await store.run('search', { query, mark_open: '[', mark_close: ']' });
  expect(keys(found)).toEqual(['one']);
  expect(found.items[0].snippet).toContain(`[${query}]`);
  expect(keys(await store.run('search', { query, engine: 'like' }))).toEqual(['one']);
});

test('an unbroken word of any length is found whole', async () => {
  for (const length of [1_023, 1_024, 1_025, 3_000]) {
    const token = 'abcdefghij'.repeat(300).slice(0, length);
    using store = await storeOf({ one: `token ${token} end`, other: 'something else' });
    for (const input of [{}, { match: 'all' }, { engine: 'like' }])
      expect([length, input, keys(await store.run('search', { query: token, ...input }))]).toEqual([
        length,
        input,
        ['one'],
      ]);
  }
});
