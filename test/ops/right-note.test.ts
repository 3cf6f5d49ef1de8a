import { describe, expect, test } from 'vitest';
import { analyseQuery } from '../../src/search/query.ts';
import { phrasesOf } from '../../src/search/phrases.ts';
import { keys, storeOf, type Output } from '../helpers/store.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

/** Lines of a log without anything that a query asks for. */
function logOf(lines: number, line: (at: number) => string, message: string): string {
  return Array.from({ length: lines }, (_, at) => (at === Math.floor(lines / 2) ? message : line(at))).join('\n');
}

const OTHERS = {
  weather: 'rain in the mountains',
  tea: '龙井茶和乌龙茶',
  nginx: 'nginx reload',
  db: 'postgres vacuum',
};

describe('a synonym counts nearly as much as the word that it stands for', () => {
  test.each([
    [
      'cert expired',
      { right: 'Certificate of the payments API expired after the migration.', a: 'Tokens expired early.' },
    ],
    ['repo migration', { right: 'Repository migration to the new host', a: 'the migration guide' }],
    ['prod deploy', { right: 'Production: deploy on Tuesday', a: 'deploy the docs' }],
    [
      'login timeout',
      { right: '登录超时：LDAP 服务器响应慢，改为 10 秒。', a: 'login 页面改版', b: 'timeout 统一 3 秒' },
    ],
    ['login timeout', { right: 'signin: it timed out', a: 'login page', b: 'timeout is 3 s' }],
    ['rate limit config', { right: '限流 config', a: 'config of the limit', b: 'the config' }],
    // a car is no cart
    ['car fee', { right: 'Vehicles pay a fee by their length', a: 'The cart shows the fee' }],
  ])('%s', async (query, contents) => {
    using store = await storeOf({ ...OTHERS, ...contents });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
  test.each([
    ['code review', 'Maria does the code review on Monday', '代码评审不讨论格式'],
    ['unit tests', 'run the unit tests first', '单元测试先跑'],
    ['connection pool', 'the connection pool has 20', '连接池 20 个'],
  ])('what stands for two words together counts once: %s', async (query, said, other) => {
    using store = await storeOf({ ...OTHERS, other, said });
    expect(keys(await store.run('search', { query }))).toEqual(['said', 'other']);
  });
  test('a text with one of the words and what stands for all of them does not count that word twice', async () => {
    const fillers = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`f${at}`, `note ${at} about the weather`]),
    );
    using store = await storeOf({
      ...fillers,
      other: 'memory pressure and OOM seen on pod',
      said: 'out of memory on node 3',
    });
    expect(keys(await store.run('search', { query: 'out of memory' }))).toEqual(['said', 'other']);
  });
  test.each([
    ['支付网关 超时', 'the payment gateway: timeout is 12 s', '网关的日志'],
    ['退款回调失败', 'refund callback failed: retry by hand', '任务失败了'],
    ['夜间对账任务', 'nightly reconciliation job', '任务看板'],
  ])(
    'a note in the other language with all words ranks before one with a part of them: %s',
    async (query, right, part) => {
      using store = await storeOf({ ...OTHERS, right, part });
      expect(keys(await store.run('search', { query }))[0]).toBe('right');
      using both = await storeOf({ ...OTHERS, right, same: query });
      expect(keys(await both.run('search', { query }))).toEqual(['same', 'right']);
    },
  );
  test.each([
    ['生产者', 'the producer', 'the production database'],
    ['虚拟机', 'the vm', 'a virtual list'],
  ])('the parts of %s have synonyms too, which rank lower', async (query, right, part) => {
    using store = await storeOf({ ...OTHERS, part, right });
    expect(keys(await store.run('search', { query }))).toEqual(['right', 'part']);
  });
  test('of a word and its beginning, a note in the other language has but one', async () => {
    const fillers = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, `note ${at}: 天气和交通`]));
    using store = await storeOf({
      ...fillers,
      other: 'Idempotency-Key header is required on POST /v1/payments.',
      said: '幂等键保留 48 小时',
    });
    expect(keys(await store.run('search', { query: '幂等键' }))).toEqual(['said', 'other']);
  });
  test('a note that shares a character with the query is not one in the other language', async () => {
    using store = await storeOf({ ...OTHERS, other: 'payment gateway timeout', mixed: 'payment gateway timeout 时间' });
    const { items } = await store.run('search', { query: '支付网关 超时', explain: true });
    const [other = 0, mixed = 0] = items.map(({ explain }: Output) => explain.lexical_parts.words);
    expect(other).toBeGreaterThan(1.5 * mixed);
  });
  test.each([
    ['负责人', 'the response was empty'],
    ['商品', 'the production database'],
    ['认证', 'the TLS certificate'],
  ])('%s has no synonym in %j', async (query, content) => {
    using store = await storeOf({ ...OTHERS, content });
    expect(keys(await store.run('search', { query }))).toEqual([]);
  });
  test('a text with the word itself ranks higher, and one that is longer than the word is no such text', async () => {
    using store = await storeOf({ ...OTHERS, word: 'cert expired', synonym: 'certificate expired', part: 'expired' });
    expect(keys(await store.run('search', { query: 'cert expired' }))).toEqual(['word', 'synonym', 'part']);
  });
});

describe('of a label and a number, the number tells', () => {
  const LOG = logOf(3, (at) => `2024-06-18 14:22:0${at}.413 INFO [http-nio-8080-exec-0] status ok`, 'code http error');
  test.each(['HTTP 413', 'http status 413', 'status code 413', 'HTTP error 413', 'error code: 413'])(
    '%s',
    async (query) => {
      using store = await storeOf({ ...OTHERS, log: LOG, right: '413 Request Entity Too Large: raise the limit' });
      expect(keys(await store.run('search', { query }))[0]).toBe('right');
    },
  );
  test('a fraction of a second is no such number, but part of its time', async () => {
    using store = await storeOf({ ...OTHERS, log: LOG, right: 'code 413' });
    expect(keys(await store.run('search', { query: '413' }))[0]).toBe('right');
    expect(keys(await store.run('search', { query: '14:22:00.413' }))[0]).toBe('log');
  });
  test.each(['14:22:00.413', '14:22:00,413', '14:22:00.413000', '14:22:00.413000999'])(
    'the fraction of %s counts nothing',
    async (time) => {
      const query = time.replace(/^.*[.,]/, '');
      using store = await storeOf({ ...OTHERS, log: `${time} ${time} ${time} INFO`, right: `code ${query}` });
      expect(keys(await store.run('search', { query }))[0]).toBe('right');
    },
  );
  test('a number behind another sign is counted', async () => {
    using store = await storeOf({ ...OTHERS, it: 'ratios {1:30,413:5}', other: 'http' });
    const { items } = await store.run('search', { query: '413' });
    expect(items[0].score).toBeGreaterThan(0);
  });
  test('429 Too Many Requests is not any text with too many of something', async () => {
    using store = await storeOf({
      right: 'Rate limiting: 100 requests per second, then 429 with Retry-After.',
      files: 'Too many open files in nginx',
      clients: 'too many clients already',
      values: 'too many values to unpack',
    });
    expect(keys(await store.run('search', { query: '429 Too Many Requests' }))[0]).toBe('right');
  });
});

describe('a Chinese message is found verbatim in a long log, among short notes with its words', () => {
  const MESSAGES = ['统一下单失败', '库存扣减异常', '支付回调验签失败', '订单状态机非法流转', '无法连接到注册中心'];
  test.each(MESSAGES)('%s', async (message) => {
    const log = logOf(120, (at) => `2026-01-02 12:00:01 INFO 处理完成 耗时 ${at}ms`, `ERROR ${message} orderNo=1`);
    const words = [message.slice(0, 2), message.slice(2, 4), message.slice(-2)];
    const notes = words.flatMap((word, at) => [
      [`a${at}`, `${word}的说明`],
      [`b${at}`, `检查${word}和${words[(at + 1) % 3]}`],
    ]);
    using store = await storeOf({ ...OTHERS, ...Object.fromEntries(notes), right: log });
    for (const query of [message, `"${message}"`, `「${message}」`])
      expect([query, keys(await store.run('search', { query }))[0]]).toEqual([query, 'right']);
  });
  test('a question that a table of contents repeats is no message', async () => {
    const contents = logOf(60, (at) => `${at}. 其他问题`, '3. 如何处理消息积压？');
    using store = await storeOf({ ...OTHERS, contents, right: '消息积压：扩容消费者，跳过旧消息，处理完再缩容' });
    expect(keys(await store.run('search', { query: '如何处理消息积压？' }))[0]).toBe('right');
  });
});

describe('Chinese words that nothing separates are names too', () => {
  const LONG = '检查点三十天后删除。收银机自检不过时看右下角代码，断网时可以离线收款，恢复后自动补传。'.repeat(4);
  test.each(['检查点删除', '检查点 删除', '检查点的删除', '删除检查点'])(
    '%s: a long note with both comes before short ones with one',
    async (query) => {
      using store = await storeOf({ ...OTHERS, right: LONG, one: '开启梯度检查点', other: '标签已删除' });
      expect(keys(await store.run('search', { query }))[0]).toBe('right');
    },
  );
  test('a rare word beside a number', async () => {
    using store = await storeOf({ ...OTHERS, right: `门店备用金${LONG}`, a: '限 500 件', b: '500 错误', c: '500 rps' });
    expect(keys(await store.run('search', { query: '备用金500' }))[0]).toBe('right');
  });
});

describe('a name is found as others write it', () => {
  test.each([
    ['a hash, abbreviated', '9d41e07b2c4f5a6d1122334455667788990011aa', 'last good image orders:9d41e07'],
    ['a hash, abbreviated less', '9d41e07b2c4f5a6d', 'good: 9d41e07b2c4f'],
    ['a hash, in full', '9d41e07', 'good: 9d41e07b2c4f5a6d1122334455667788990011aa'],
    ['a migration, by its number', '20240312', 'V20240312__tenant.sql adds a column'],
    ['a migration, by its version', 'V20240312', 'V20240312__tenant.sql adds a column'],
    ['a hyphen behind a stop word', 'no-eviction', 'set noeviction on redis'],
    ['another', 'on-prem', 'the onprem cluster'],
    ['a short one', 'no-op', 'the noop scheduler'],
    ['without the hyphen', 'noop', 'a no-op commit'],
    ['a phone number', '13800138000', '刘洋 手机 138-0013-8000'],
    ['one with an area code', '4155550132', 'hotline +1 (415) 555-0132'],
    ['one with a country code', '14155550132', 'hotline +1 (415) 555-0132'],
    ['one that others write without it', '8613800138000', '手机 138 0013 8000'],
    ['a card', '4111111111111111', 'test card 4111 1111 1111 1111'],
    ['pairs of digits', '0663457788', 'tel 06 63 45 77 88'],
    ['a letter and a number', 'F07', 'finding F-07 is fixed'],
    ['a standard', 'h264', 'encoded as H.264'],
    ['a number without its zeros', 'ADR 7', 'ADR-007: use sqlite'],
    ['one joined', 'adr7', 'ADR-0007: use sqlite'],
    ['one with its zeros', 'ADR-0007', 'see adr 7'],
    ['the number of an experiment', 'exp041', 'exp-41 had the best loss'],
  ])('%s: %s', async (_what, query, content) => {
    using store = await storeOf({ ...OTHERS, right: content, other: 'hotfix/20240618 and 9d41e08, in form' });
    for (const match of ['any', 'all'])
      expect([match, keys(await store.run('search', { query, match }))]).toEqual([match, ['right']]);
  });
  test.each([
    ['1920x1080', 'screen 1920×1080'],
    ['1920×1080', 'screen 1920x1080'],
    ['800x600', 'grid 800*600'],
    ['100 x 150 mm', 'label 100x150 mm'],
  ])('width and height: %s finds %s before others with their numbers', async (query, content) => {
    using store = await storeOf({
      ...OTHERS,
      right: content,
      a: '1920 and 100%',
      b: '1080, 600 and 150 %',
      c: '800 mm',
    });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
  test('a hash finds both its abbreviation and what it abbreviates', async () => {
    using store = await storeOf({ ...OTHERS, short: '1a2b3c4 is a commit', long: 'deploy of 1a2b3c4d5e6f7 done' });
    for (const match of ['any', 'all'])
      for (const engine of ['fts', 'like'])
        expect([engine, keys(await store.run('search', { query: '1a2b3c4d', match, engine })).toSorted()]).toEqual([
          engine,
          ['long', 'short'],
        ]);
  });
  test('numbers that are not side by side are no long number', async () => {
    using store = await storeOf({ ...OTHERS, it: '138 of 0013, then 8000' });
    expect((await store.run('search', { query: '13800138000' })).total).toBe(0);
  });
  test('another number is no typo, but swapped digits are', async () => {
    using store = await storeOf({ ...OTHERS, it: 'invoice 20240618' });
    const found = async (query: string) => keys(await store.run('search', { query }));
    expect([await found('20240612'), await found('20240681')]).toEqual([[], ['it']]);
  });
  test.each([
    ['压测', 'Load test: 500 rps'],
    ['crontab', 'a cron job'],
    ['锁超时', 'Lock wait timeout exceeded'],
    ['磁盘空间不足', 'write: no space left on device'],
    ['扫描', 'scan images with trivy'],
    ['EMFILE', 'accept: too many open files'],
    ['multi-tenant', 'Multi tenancy is by schema'],
  ])('%s: %s', async (query, content) => {
    using store = await storeOf({ ...OTHERS, it: content });
    for (const engine of ['fts', 'like'])
      expect([engine, keys(await store.run('search', { query, engine }))]).toEqual([engine, ['it']]);
  });
});

const MORE = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`more${at}`, `note ${at} about the garden and the weather`]),
);

// the longer name is in the shorter text each time
describe('a name ranks before the longer names in which it is', () => {
  const TELLS = 'runs in production since last week and is checked by the nightly job';
  const OLD = 'is read-only, and dropped after a year';
  test.each([
    ['user_orders', 'user_orders_archive'],
    ['release 1.4', 'release 1.4.2'],
    ['1.4', '1.4.2.1'],
    ['REDIS_URL', 'REDIS_URL_REPLICA'],
    ['redisUrl', 'REDIS_URL_REPLICA', 'REDIS_URL'],
    ['ABC-77', 'ABC-77-2'],
    ['release/24.05', 'release/24.05-hotfix'],
    ['web/app:1.4', 'web/app:1.4-alpine'],
    ['POST /v2/orders', 'POST /v2/orders/bulk'],
    ['server.tomcat.max-threads', 'server.tomcat.max-threads-per-host'],
    ['order_status', 'pre_order_status'],
  ])('%s before %s', async (query, longer, name = query) => {
    using store = await storeOf({ ...OTHERS, ...MORE, longer: `${longer} ${OLD}.`, name: `${name} ${TELLS}.` });
    expect(keys(await store.run('search', { query })).slice(0, 2)).toEqual(['name', 'longer']);
  });
  test.each([
    ['the file name of a path', 'pool.ts', 'src/db/pool.ts'],
    ['a member', 'pool_size', 'cart.pool_size'],
    ['a name before a full stop', 'user_orders', 'See user_orders.'],
    ['a name before another', 'ShardingSphere', 'use ShardingSphere-JDBC'],
    ['an address before a port', '10.0.0.1', 'see 10.0.0.1:8080'],
    ['a name as an adjective', 'gpt-4', 'gpt-4-powered'],
  ])('%s is no longer name', async (_what, query, text) => {
    using store = await storeOf({ ...OTHERS, long: `${query} ${TELLS}.`, short: text });
    expect(keys(await store.run('search', { query })).slice(0, 2)).toEqual(['short', 'long']);
  });
});

describe('a decimal number is no other one', () => {
  test.each([
    ['job after 1.5 hours', { right: 'Stop the job now.', wrong: 'Retry in 15 min.' }],
    ['jdk 1.8', { right: 'JDK 8 for billing.', wrong: 'JDK 17; Lombok must be 1.18.30.' }],
    ['0.5s timeout', { right: 'Timeout is 0.5s for recommendation, as measured.', wrong: 'Timeout is 5s.' }],
  ])('%s', async (query, notes) => {
    using store = await storeOf({ ...OTHERS, ...MORE, ...notes });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
});

describe('a word is not read as two that some text has side by side by chance', () => {
  const ORDERS = Object.fromEntries(
    Array.from({ length: 25 }, (_, at) => [`order${at}`, `the order of job ${at} is checked`]),
  );
  test('or der is no order where most have order', async () => {
    using store = await storeOf({ ...ORDERS, key: 'Convert the key from PEM or DER.' });
    const { items, total } = await store.run('search', { query: 'order', explain: true, limit: 30 });
    expect([total, keys({ items }).includes('key')]).toEqual([25, false]);
    expect(JSON.stringify(items)).not.toContain('or der');
  });
  test.each([
    ['frontend', 'the front end of the shop'],
    ['timeout', 'time out after 3 s'],
  ])('%s: %s', async (query, apart) => {
    const others = Object.fromEntries([1, 2, 3].map((at) => [`n${at}`, `${at}: the ${query} of the job`]));
    using store = await storeOf({ ...OTHERS, ...others, apart });
    expect(keys(await store.run('search', { query })).toSorted()).toEqual(['apart', 'n1', 'n2', 'n3']);
  });
});

// of each pair, the other note has the same words, and is no longer
describe('a query that denies something finds the note that denies it', () => {
  const AXIOS = {
    right: 'Do not use axios in new packages, because fetch is enough.',
    wrong: 'Use axios in the legacy dashboard, until it is replaced.',
  };
  const VPN = {
    right: 'The VPN is not required for the status page.',
    wrong: 'The VPN is required for the console of the cluster.',
  };
  const REPLICA = { right: '下单流程禁止用从库查询。', wrong: '报表流程可以用从库查询。' };
  const BODIES = {
    right: 'Request bodies must not be logged in production.',
    wrong: 'Request bodies are logged in staging for a week.',
  };
  const CACHE = {
    right: '发布构建不要启用 Gradle 缓存，会用到旧文件。',
    wrong: '本地构建要启用 Gradle 缓存，会快很多。',
  };
  test.each([
    ...[
      'do not use axios',
      "don't use axios",
      'dont use axios',
      'never use axios',
      'avoid axios',
      'axios forbidden',
    ].map((query) => [query, AXIOS] as const),
    ...['不要用 axios', '禁止 axios', '为什么不用 axios'].map((query) => [query, AXIOS] as const),
    ...['VPN not required', "VPN isn't required", 'VPN is not required?'].map((query) => [query, VPN] as const),
    ...['不要用从库查询', '不能用从库查询', '不允许从库查询', '禁止从库查询'].map((query) => [query, REPLICA] as const),
    ...['do not log request bodies', "don't log request body", 'logging request bodies prohibited'].map(
      (query) => [query, BODIES] as const,
    ),
    ...['不要启用 Gradle 缓存', '禁止启用 Gradle 缓存', "don't 启用 gradle 缓存"].map(
      (query) => [query, CACHE] as const,
    ),
  ])('%s', async (query, notes) => {
    using store = await storeOf({ ...OTHERS, ...MORE, ...notes });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
  test.each([
    ['you cannot use axios', AXIOS],
    // the denial of another clause, and one that is far away
    [
      'do not use axios',
      { right: 'Do not use axios, says the team.', wrong: 'Do not panic. We use axios, says the team.' },
    ],
    [
      'do not use axios',
      {
        right: 'Do not use axios, says the team.',
        wrong: 'Not the one who reviewed all of these changes last week use axios.',
      },
    ],
    ['not enough memory', { right: 'the pod: not enough memory for it', wrong: 'not so much memory, enough of it' }],
    [
      'without authentication',
      { right: 'do not use authentication in the sandbox', wrong: 'use authentication in the sandbox, said ops' },
    ],
    ['功能不能升级', { right: '这个版本的功能不能升级，见说明。', wrong: '这个版本的功能升级说明。' }],
    ['可能不能升级', { right: '这个版本可能不能升级，见说明。', wrong: '这个版本可能要升级，见说明。' }],
    ['do not run kafka brokers', { right: 'Never restart brokers by hand.', wrong: 'Restart the brokers by hand.' }],
  ])('%s', async (query, notes) => {
    using store = await storeOf({ ...OTHERS, ...MORE, ...notes });
    expect(keys(await store.run('search', { query }))[0]).toBe('right');
  });
  test('what begins like a denied word is another one', async () => {
    using store = await storeOf({
      ...OTHERS,
      a: 'never parse it; money is a string',
      b: 'it is never relied on',
      c: 'never rely upon the cache',
    });
    const partsOf = async (query: string): Promise<[string, boolean][]> => {
      const { items } = await store.run('search', { query, explain: true });
      return items.map(({ key, explain }: Output) => [key, explain.lexical_parts.phrases > 0]);
    };
    expect(await partsOf('not a part of money')).toEqual([['a', false]]);
    expect((await partsOf('do not rely on it')).toSorted()).toEqual([
      ['b', true],
      ['c', true],
    ]);
  });
  test('the numbers of a denial are words like any other', async () => {
    using store = await storeOf({
      ...OTHERS,
      ...MORE,
      right: 'open to the team: 443 8080 9090',
      wrong: 'requests are not allowed',
      a: '443',
      b: '8080',
      c: '9090',
    });
    expect(keys(await store.run('search', { query: '443 8080 9090 not allowed' }))[0]).toBe('right');
  });
  test.each([
    ['use axios', AXIOS],
    ['级别 warn', { right: 'the warn level', wrong: 'do not warn' }],
    ['特别缓存', { right: '缓存级别说明', wrong: '不要用缓存' }],
    ['issue no. 5', { right: 'issue 5', wrong: 'not 5 but 6' }],
    ['启用 Gradle 缓存', CACHE],
    ['当前环境的 event', { wrong: 'the current event', right: 'no event' }],
    ['能不能用 axios', AXIOS],
    ['要不要用 axios', AXIOS],
    ['会不会用 axios', AXIOS],
  ])('%s denies nothing', async (query, notes) => {
    using store = await storeOf({ ...OTHERS, ...MORE, ...notes });
    expect(JSON.stringify((await store.run('search', { query, explain: true })).items)).not.toContain('"not(');
  });
});

describe('an operator beside words', () => {
  const NOTES = {
    nullish: 'Use ?? instead of || for defaults.',
    strict: 'Use === instead of == everywhere.',
    arrow: 'In JSON columns -> returns json, and chaining works.',
    text: 'In JSON columns ->> returns text, quotes are stripped.',
    compatible: 'Requirements use ~= for compatible releases.',
    pins: 'Requirements use == for pins.',
  };
  test.each([
    ['why ?? instead of ||', 'nullish'],
    ['json ->>', 'text'],
    ['json ->', 'arrow'],
    ['~= requirements', 'compatible'],
    ['requirements ==', 'pins'],
    ['?? vs ||', 'nullish'],
    ['operator ??', 'nullish'],
    ['why ===', 'strict'],
  ])('%s', async (query, right) => {
    using store = await storeOf({ ...OTHERS, ...NOTES });
    expect(keys(await store.run('search', { query }))[0]).toBe(right);
  });
  test.each(['nosuch ...', 'nosuch -- nowhere', 'nosuch !!'])('%s has punctuation, and no operator', async (query) => {
    using store = await storeOf({ ...NOTES, other: 'well ... it -- perhaps !! works' });
    expect(await store.run('search', { query })).toMatchObject({ items: [], hint: expect.anything() });
  });
  test('is not sought where every word is required', async () => {
    using store = await storeOf(NOTES);
    expect(keys(await store.run('search', { query: 'nosuch ===', match: 'all' }))).toEqual([]);
  });
});

test('of a pasted log, the note with one of its lines ranks before a long one with many of its words', async () => {
  const right =
    'nginx 502 after deploy: upstream prematurely closed connection while reading response header from upstream. Node keepAliveTimeout default 5 s < ALB idle timeout 60 s. Set server.keepAliveTimeout = 65000.';
  const wrong =
    "Hono on Node.js: app.use('/static/*', serveStatic()) serves static files such as /static/app.js; the web server listens on http port 8080, main.ts starts it; GET requests of the client are answered as soon as the server is ready to receive web requests. Error responses carry a message; level info is logged per request with the method and the caller.";
  const query = `2025-11-02 08:00:01.120 INFO [main] TomcatWebServer : Tomcat started on port(s): 8080 (http)
    at ReflectiveMethodInvocation.proceed(ReflectiveMethodInvocation.java:186)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)
2025/10/01 08:11:22 [error] 31#31: *99121 upstream prematurely closed connection while reading response header from upstream, client: 10.1.1.4, server: api.acme.io
web_1 | 172.18.0.1 - - [02/Nov/2025:08:00:03 +0000] "GET /static/app.js HTTP/1.1" 304 0
level=info caller=main.go:112 msg="Server is ready to receive web requests."`;
  using store = await storeOf({ ...OTHERS, ...MORE, wrong, right });
  expect(keys(await store.run('search', { query }))[0]).toBe('right');
});

describe('a word counts once', () => {
  test.each(['对象', '地址', '过程', '有效', '在线', '对比', '页面'])(
    '%s, though stop words might split it',
    async (word) => {
      using store = await storeOf({ ...OTHERS, it: `我们的${word}很大`, other: '我们的存储很大' });
      const { items } = await store.run('search', { query: `${word} 存储`, explain: true });
      const [first, second] = items.map(({ explain }: Output) => explain.lexical_parts.words);
      expect(first).toBeCloseTo(second, 5);
    },
  );
});

describe('what a query has beside other words is treated as if it were alone', () => {
  test('a word that others write as two, behind many Chinese words', async () => {
    using store = await storeOf({ ...OTHERS, dark: '黑色主题 dark mode 的颜色', other: '登录 页面 按钮 文字 大小' });
    expect(keys(await store.run('search', { query: '登录 页面 按钮 文字 darkmode' }))).toContain('dark');
  });
  test('a name in a question, however that begins', async () => {
    using store = await storeOf({ ...OTHERS, redis: 'redis redis cluster notes', evict: 'evicts evicts policy notes' });
    for (const query of ['how Redis evicts', 'How Redis evicts'])
      expect(keys(await store.run('search', { query }))).toEqual(['redis', 'evict']);
    // capitals alone make no question, nor does a title
    for (const [query, isQuestion] of [
      ['How Redis evicts', true],
      ['CAN Redis evicts', false],
      ['Deploy The Redis', false],
    ] as const)
      expect([query, analyseQuery(tokenizer, query).terms.some(({ isName }) => isName)]).toEqual([query, isQuestion]);
    expect(keys(await store.run('search', { query: 'CAN Redis evicts' }))[0]).toBe('evict');
  });
  test('a part of an identifier of which no item has another', async () => {
    using store = await storeOf({ ...OTHERS, data: 'data data of it', right: '线上的表怎么连' });
    expect(keys(await store.run('search', { query: '线上 DataGrip 怎么连' }))).toEqual(['right', 'data']);
  });
});

test.each([
  ['ES V8', 'es8 cluster is running', 'es 9 cluster is running'],
  ['Gradle V8.5', 'the gradle v8.5 wrapper', 'the gradle wrapper'],
  ['$1234.5', 'costs $1,234.50 in total', 'costs 1,234.51 in total'],
  ['16 GBs', 'it has 16gb', 'it has 16 rows, gbs'],
])('%s is in %j, and not in %j', async (query, right, wrong) => {
  using store = await storeOf({ ...OTHERS, wrong, right });
  expect(keys(await store.run('search', { query }))[0]).toBe('right');
});

test.each([
  ['2 dbs', 0],
  ['二次验证', 0],
  ['两次验证', 1],
])('%s has %i count', async (query, counts) => {
  expect(phrasesOf(tokenizer, query).filter(({ kind }) => kind === 'exact')).toHaveLength(counts);
});

test('a search in which the index has nothing but an operator says that the index was asked', async () => {
  using store = await storeOf({ strict: 'Use === instead of ==' });
  expect(await store.run('search', { query: 'why ===' })).toMatchObject({ fts5: true, total: 1 });
});

test('what excludes a column finds nothing in it', async () => {
  using store = await storeOf({ content: '超时 only in content', 超时: 'only in the key' });
  expect(keys(await store.run('search', { query: '-content : 超时', syntax: 'fts' }))).toEqual(['超时']);
  expect(keys(await store.run('search', { query: '-key : 超时', syntax: 'fts' }))).toEqual(['content']);
});
