//! Rest positions and a frame number to positions.
