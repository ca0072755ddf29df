export * from './library/index.js';
