//! Continuous collision detection against its oracle and against published verdicts.

mod cases;
mod data;
mod generate;
mod oracle;
mod properties;
mod scenes;
mod separation;
mod timing;
