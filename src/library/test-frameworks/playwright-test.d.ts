/**
 * The types of `@playwright/test` that this package uses. Playwright is an optional peer dependency and is not
 * installed here; in users' projects, Playwright's own types apply. `npm run test:frameworks` compiles examples with those.
 */
declare module '@playwright/test' {
  export interface PlaywrightTestArgs {
    page: unknown;
  }
  export interface PlaywrightTestOptions {
    baseURL: string | undefined;
  }
  export interface PlaywrightWorkerArgs {
    browser: unknown;
  }
  export interface PlaywrightWorkerOptions {
    browserName: string;
  }
  export interface TestInfo {
    readonly status?: string;
    readonly expectedStatus: string;
    readonly outputDir: string;
    readonly attachments: { name: string; contentType: string; path?: string }[];
    outputPath(...segments: string[]): string;
    attach(name: string, options: { body: string; contentType: string }): Promise<void>;
  }

  type Use<Value> = (value: Value) => Promise<void>;
  type Fixture<Value, Fixtures> =
    | ((fixtures: Fixtures, use: Use<Value>, testInfo: TestInfo) => Promise<void>)
    | readonly [
        Value | ((fixtures: Fixtures, use: Use<Value>) => Promise<void>),
        { scope?: 'test' | 'worker'; option?: boolean },
      ];

  export interface TestType<TestArgs, WorkerArgs> {
    extend<Test extends object, Worker extends object>(
      fixtures: {
        [Name in keyof (Test & Worker)]: Fixture<(Test & Worker)[Name], TestArgs & WorkerArgs & Test & Worker>;
      },
    ): TestType<TestArgs & Test, WorkerArgs & Worker>;
  }
  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
}
